/** What beckon says in English, as a person reads it. Written out here, so that a change of words is a change of a test. */
export const permissionWaits = (action: string) => `A permission waits for you · ${action}`;
export const questionWaits = "A question waits for you · Colour";
/** The duration follows. */
export const workFinished = "Work finished · ";
