export type Level =
  | "broken" // does not work until somebody does something
  | "advice" // works, and could work better
  | "fine";

/** One thing looked at. `paste`: the exact lines to put somewhere or to run. */
export type Finding = {
  check: string;
  level: Level;
  symptom: string;
  cause?: string;
  fix?: string;
  paste?: string;
};

export const fine = (check: string, symptom: string): Finding => ({ check, level: "fine", symptom });
