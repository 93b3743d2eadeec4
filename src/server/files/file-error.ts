/** Why the file system refused, as a word to branch on. */
export type FileErrorKind =
  | "missing"
  | "denied"
  | "read-only"
  | "full"
  | "not-a-file"
  | "too-large"
  | "not-text"
  | "not-a-folder"
  | "cannot-replace"
  | "other";

export type FileFailure = { kind: FileErrorKind; message: string };

const kinds = new Map<string, [FileErrorKind, string]>([
  ["ENOENT", ["missing", "does not exist"]],
  ["EACCES", ["denied", "permission denied"]],
  ["EPERM", ["denied", "not permitted"]],
  ["EROFS", ["read-only", "the file system is read-only"]],
  ["ENOSPC", ["full", "the disk is full"]],
  ["EDQUOT", ["full", "the disk quota is used up"]],
  ["EFBIG", ["full", "the file may not grow any more"]],
  ["EAGAIN", ["other", "does not answer"]],
  ["ENXIO", ["not-a-file", "is not a regular file"]],
  ["EISDIR", ["not-a-file", "is a folder, not a file"]],
  ["ERR_FS_EISDIR", ["not-a-file", "is a folder, not a file"]], // Node's own, of rm
  ["ENOTDIR", ["not-a-folder", "a part of the path is a file, not a folder"]],
  ["EEXIST", ["not-a-folder", "a part of the path is a file, not a folder"]],
  ["ELOOP", ["other", "links that lead in a circle"]],
  ["ENAMETOOLONG", ["other", "the path is too long"]],
  ["EXDEV", ["cannot-replace", "is mounted from elsewhere and cannot be replaced; edit it by hand"]],
  ["EBUSY", ["cannot-replace", "is mounted or in use and cannot be replaced; edit it by hand"]],
]);

/** The system's error code, where an error has one. */
export const errorCode = (error: unknown): string | undefined =>
  error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : undefined;

/** A foreign error in our words; locale-proof, because it is made of the code. */
export const errorWords = (error: unknown): string => known(error)[1];

export function fileFailure(path: string, error: unknown): FileFailure {
  const [kind, words] = known(error);
  return { kind, message: `${path}: ${words}` };
}

function known(error: unknown): [FileErrorKind, string] {
  const code = errorCode(error) ?? "an unknown error";
  return kinds.get(code) ?? ["other", code];
}
