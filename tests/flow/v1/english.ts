/** The host's language, so that the words on a banner are known. */
export const inEnglish = { LANG: "en_US.UTF-8", LC_ALL: "en_US.UTF-8" };
