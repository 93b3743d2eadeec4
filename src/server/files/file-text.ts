/** A small text file as read just now. The same `stamp` means the same text. */
export type FileText =
  | { kind: "missing" }
  | { kind: "text"; text: string; stamp: string }
  | { kind: "unreadable"; why: string };
