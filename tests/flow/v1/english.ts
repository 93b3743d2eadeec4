/** The host's language, so that the words on a banner are known. Every machine has this locale. */
export const inEnglish = { LANG: "C.UTF-8", LC_ALL: "C.UTF-8" };
