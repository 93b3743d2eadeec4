import { fail, ok, type Result } from "../../shared/result.ts";

/** What an answer begins with. Names of headers are in small letters; of several with one name the last counts. */
export type AnswerHead = { status: number; headers: ReadonlyMap<string, string> };

/** Over all of it, the interim answers before it included, bytes. Node allows as much. */
const mostHeadBytes = 16_384;
/** The line before a chunk, bytes: its length, and extensions nobody uses. */
const mostChunkLine = 1_024;

/**
 * Reads an answer's head chunk by chunk: undefined while it is not whole, then the head and what came behind it. Interim
 * answers (1xx) are passed over. An error says what is wrong, in words of ours.
 */
export function createHeadReader(): (chunk: Buffer) => Result<{ head: AnswerHead; rest: Buffer } | undefined, string> {
  let bytes: Buffer = Buffer.alloc(0);
  let room = mostHeadBytes;

  function next(): Result<{ head: AnswerHead; rest: Buffer } | undefined, string> {
    const end = endOfHead(bytes);
    if ((end ?? bytes.length) > room) return fail("the head of its answer is too long");
    if (end === undefined) return ok(undefined);
    const head = parseHead(bytes.toString("latin1", 0, end));
    if (head === undefined) return fail("its answer is not HTTP");
    bytes = bytes.subarray(end);
    room -= end;
    const isInterim = head.status < 200 && head.status !== 101;
    return isInterim ? next() : ok({ head, rest: bytes });
  }

  return (chunk) => {
    bytes = Buffer.concat([bytes, chunk]);
    return next();
  };
}

/** The place behind the first empty line. Simple servers leave out the carriage return. */
function endOfHead(bytes: Buffer): number | undefined {
  const ends = ["\n\r\n", "\n\n"].map((mark) => ({ at: bytes.indexOf(mark, 0, "latin1"), mark }));
  const found = ends.filter(({ at }) => at >= 0).map(({ at, mark }) => at + mark.length);
  return found.length === 0 ? undefined : Math.min(...found);
}

function parseHead(text: string): AnswerHead | undefined {
  const [first = "", ...lines] = text.split(/\r?\n/);
  const status = /^HTTP\/1\.[01] ([1-9]\d\d)(?: |$)/.exec(first)?.[1];
  if (status === undefined) return undefined;
  const headers = lines.map((line): [string, string] => {
    const colon = line.indexOf(":");
    return [line.slice(0, Math.max(colon, 0)).toLowerCase(), line.slice(colon + 1).trim()];
  });
  return { status: Number(status), headers: new Map(headers) };
}

/** `data` is the body's own, without its framing; `over`: nothing more belongs to it. */
export type BodyPart = { data: Buffer[]; over: boolean };

/** Takes a body out of its framing, chunk by chunk: chunked, of a length that was told, or until the connection ends. */
export function createBodyReader({ headers }: AnswerHead): (chunk: Buffer) => Result<BodyPart, string> {
  if (/\bchunked$/i.test(headers.get("transfer-encoding") ?? "")) return readChunked();
  const told = headers.get("content-length");
  let left = told === undefined ? Number.POSITIVE_INFINITY : /^\d{1,15}$/.test(told) ? Number(told) : Number.NaN;
  return (chunk) => {
    if (Number.isNaN(left)) return fail("its answer has no proper length");
    const mine = chunk.subarray(0, left);
    left -= mine.length;
    return ok({ data: [mine], over: left === 0 });
  };
}

function readChunked(): (chunk: Buffer) => Result<BodyPart, string> {
  let awaits: "length" | "data" | "line break" | "nothing" = "length";
  let line = "";
  /** Bytes of the chunk still to come. */
  let left = 0;

  /** False for a line that does not belong there. */
  function endLine(): boolean {
    const whole = line.trim();
    line = "";
    if (awaits === "line break") {
      awaits = "length";
      return whole === "";
    }
    const length = /^([\da-f]{1,8})\s*(?:;|$)/i.exec(whole)?.[1];
    left = Number.parseInt(length ?? "0", 16);
    awaits = left === 0 ? "nothing" : "data";
    return length !== undefined;
  }

  /** How many bytes of it were taken; undefined when they are not cut properly. */
  function step(bytes: Buffer, data: Buffer[]): number | undefined {
    if (awaits === "data") {
      const mine = bytes.subarray(0, left);
      data.push(mine);
      left -= mine.length;
      if (left === 0) awaits = "line break";
      return mine.length;
    }
    const end = bytes.indexOf("\n");
    line += bytes.toString("latin1", 0, Math.min(end < 0 ? bytes.length : end, mostChunkLine + 1));
    if (line.length > mostChunkLine || (end >= 0 && !endLine())) return undefined;
    return end < 0 ? bytes.length : end + 1;
  }

  return (chunk) => {
    const data: Buffer[] = [];
    for (let at = 0; at < chunk.length && awaits !== "nothing"; ) {
      const taken = step(chunk.subarray(at), data);
      if (taken === undefined) return fail("its answer is not cut properly");
      at += taken;
    }
    return ok({ data, over: awaits === "nothing" });
  };
}
