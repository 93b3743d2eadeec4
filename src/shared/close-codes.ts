/** Why the relay ended a connection. A code never changes its meaning. Below 4000 are those of RFC 6455. */
export const closeCodes = {
  done: 1000,
  goingAway: 1001,
  notAWebsocket: 1002,
  binary: 1003,
  notUtf8: 1007,
  tooBig: 1009,
  malformed: 4400,
  badToken: 4401,
  noCommonProtocol: 4406,
  helloTooLate: 4408,
  replaced: 4409,
  silent: 4410,
  tooFast: 4429,
  full: 4503,
} as const;

export type CloseReason = keyof typeof closeCodes;

export const closeWords = {
  done: "said goodbye",
  goingAway: "the server part ends or is replaced",
  notAWebsocket: "not a frame of a websocket",
  binary: "frames are JSON text",
  notUtf8: "frames are UTF-8",
  tooBig: "a frame may have 4096 bytes",
  malformed: "not a frame of this protocol",
  badToken: "the token is missing or wrong",
  noCommonProtocol: "no protocol both sides speak",
  helloTooLate: "no hello within two seconds",
  replaced: "the same terminal connected again",
  silent: "nothing was heard for a minute",
  tooFast: "more than 50 frames in a second",
  full: "no room for another terminal",
} satisfies Record<CloseReason, string>;
