/** A second of a 440 Hz tone at that part of the full volume, as WAV. */
export function tone(volume: number): Buffer {
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
