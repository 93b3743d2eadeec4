/**
 * A sound given by its name, such as Submarine or message-new-instant, and not by a path: it becomes part of a path or an
 * argument, so it begins with a letter or a digit and has no slash of either kind, colon or tilde in it.
 */
export const isSoundName = (text: string): boolean => /^[\p{L}\p{N}][\p{L}\p{N} ._-]{0,99}$/u.test(text);
