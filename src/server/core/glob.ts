/**
 * Does a glob fit the whole text, upper and lower case alike? `*` any text, `?` one character, nothing else is special.
 * No regular expression: a glob with many stars would take one longer than anybody lives.
 */
export function fitsGlob(glob: string, text: string): boolean {
  const wanted = [...glob.toLowerCase()];
  const letters = [...text.toLowerCase()];
  let at = 0;
  let next = 0;
  /** Where the last star stands, and how much of the text it takes. */
  let star: { next: number; at: number } | undefined;
  while (at < letters.length) {
    if (wanted[next] === "*") {
      star = { next, at };
      next += 1;
    } else if (wanted[next] === "?" || wanted[next] === letters[at]) {
      at += 1;
      next += 1;
    } else if (star !== undefined) {
      star.at += 1;
      at = star.at;
      next = star.next + 1;
    } else return false;
  }
  return wanted.slice(next).every((letter) => letter === "*");
}
