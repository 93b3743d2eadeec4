import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createChannels } from "../../../src/server/delivery/channels.ts";
import { patientClock } from "../../fakes/patient-clock.ts";
import { waitUntil } from "../../rig/host/wait-for.ts";
import { needs } from "../../rig/needs.ts";
import { type SoundCard, startSoundCard } from "../../rig/sound/sound-card.ts";
import { noteOf } from "./note.ts";

/** A second of a 440 Hz tone at half the full volume, as WAV. */
function tone(volume: number): Buffer {
  const rate = 16_000;
  const samples = Buffer.alloc(rate * 2);
  for (let at = 0; at < rate; at++) {
    samples.writeInt16LE(Math.round(Math.sin((at / rate) * 440 * 2 * Math.PI) * volume * 32_767), at * 2);
  }
  const head = Buffer.alloc(44);
  head.write("RIFF", 0);
  head.writeUInt32LE(36 + samples.length, 4);
  head.write("WAVEfmt ", 8);
  head.writeUInt32LE(16, 16);
  head.writeUInt16LE(1, 20); // PCM
  head.writeUInt16LE(1, 22); // one channel
  head.writeUInt32LE(rate, 24);
  head.writeUInt32LE(rate * 2, 28);
  head.writeUInt16LE(2, 32);
  head.writeUInt16LE(16, 34);
  head.write("data", 36);
  head.writeUInt32LE(samples.length, 40);
  return Buffer.concat([head, samples]);
}

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
