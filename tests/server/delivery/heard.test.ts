import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createChannels } from "../../../src/server/delivery/channels.ts";
import { patientClock } from "../../fakes/patient-clock.ts";
import { waitUntil } from "../../rig/host/wait-for.ts";
import { needs } from "../../rig/needs.ts";
import { type SoundCard, startSoundCard } from "../../rig/sound/sound-card.ts";
import { tone } from "../../rig/sound/tone.ts";
import { noteOf } from "./note.ts";

needs(
  "pulseaudio",
  "pactl",
  "espeak-ng",
)("what a person hears", () => {
  let card: SoundCard;
  beforeEach(async () => {
    card = await startSoundCard();
  });
  afterEach(() => card.close());
  const channels = () => createChannels({ platform: "linux", env: card.env, clock: patientClock, log: () => {} });

  test("is speech by espeak, whatever the text looks like", async () => {
    const { voice } = channels();
    expect(card.loudest()).toBe(0);
    expect(await voice?.send(noteOf({ spoken: "--help: work is finished", voice: "en" }))).toEqual({
      ok: true,
      outlet: "espeak-ng",
      certainty: "started",
    });
    await waitUntil("the speech", () => card.loudest() > 0.1);
  });

  test("is a sound by its file", async () => {
    const file = join(card.folder, "tone.wav");
    writeFileSync(file, tone(0.5));
    expect(await channels().sound?.send(noteOf({ sound: file }))).toMatchObject({ ok: true });
    await waitUntil("the sound", () => card.loudest() > 0.4);
    expect(card.loudest()).toBeLessThan(0.6);
  });

  test("is nothing when the file is silence", async () => {
    const [silent, marker] = ["silent.wav", "marker.wav"].map((name) => join(card.folder, name));
    writeFileSync(silent ?? "", tone(0));
    writeFileSync(marker ?? "", tone(0.2));
    const { sound } = channels();
    await sound?.send(noteOf({ sound: silent ?? "" }));
    expect(card.loudest()).toBe(0);
    await sound?.send(noteOf({ sound: marker ?? "" }));
    await waitUntil("the marker", () => card.loudest() > 0.1);
    expect(card.loudest()).toBeLessThan(0.3);
  });
});
