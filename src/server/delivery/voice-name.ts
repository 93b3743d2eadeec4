/**
 * A voice a person or the model named, or undefined when it is none: it becomes a program's argument, so it begins
 * with a letter or digit and names no path upwards. Examples: Zarvox, Anna (Premium), en-gb+f3, gmw/en-US.
 */
export function voiceName(voice: string | null | undefined): string | undefined {
  const name = voice?.trim() ?? "";
  return /^[\p{L}\p{N}][\p{L}\p{N} ()._+/-]{0,99}$/u.test(name) && !name.includes("..") ? name : undefined;
}
