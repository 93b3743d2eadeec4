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
import { childrenOfThisProcess } from "./processes.ts";

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

  test("is one alert after the other, never two at once, and never one that is no longer true", async () => {
    const { voice } = channels();
    const say = (key: string, spoken: string) => voice?.send(noteOf({ key, spoken, voice: "en" }));
    const speaking = () => childrenOfThisProcess().filter(({ name, state }) => name === "espeak-ng" && state !== "Z");
    const first = say("A", "the first session has finished its work and waits for you");
    const [stale, last] = [say("B", "this is not true any more"), say("C", "the last session")];
    await waitUntil("the first one to be heard", () => card.loudest() > 0.1);
    expect(speaking()).toHaveLength(1);
    await voice?.withdraw("B");
    expect(await stale).toMatchObject({ ok: false, reason: "dropped" });
    expect(await first).toMatchObject({ ok: true, outlet: "espeak-ng" });
    await waitUntil("the last one to speak, alone", () => speaking().length === 1);
    expect(await last).toMatchObject({ ok: true, outlet: "espeak-ng" });
    expect(speaking()).toEqual([]);
  });

  test("that is no longer true is cut off in the middle", async () => {
    const { voice, sound } = channels();
    const ended: string[] = [];
    const spoken = voice
      ?.send(noteOf({ key: "A", spoken: "one two three four five six seven ".repeat(8), voice: "en" }))
      .then((delivery) => {
        ended.push("a long speech");
        return delivery;
      });
    await waitUntil("it to be heard", () => card.loudest() > 0.1);
    const withdrawn = voice?.withdraw("A"); // it waits for the speech to end, cut or not
    const file = join(card.folder, "tone.wav");
    writeFileSync(file, tone(0.1));
    await sound?.send(noteOf({ sound: file }));
    ended.push("a second of a tone that began after it");
    expect(await spoken).toMatchObject({ ok: true });
    await withdrawn;
    expect(ended).toEqual(["a long speech", "a second of a tone that began after it"]);
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
