import type { HostEvent } from "../../conformance/event.ts";
import type { Stories } from "../../conformance/stories.ts";
import type { Ask } from "../../scenarios/host-under-test.ts";

export type Told = Stories & {
  /** Waits until the journal says this of the session or request: "done delivered unattended". */
  until(id: string, words: string): Promise<void>;
  /** Sends an event exactly as given. */
  raw(event: HostEvent): void;
};

/** One sequence of the contract, written event by event, and every decision about it in journal order. */
export type Sequence = {
  title: string;
  /** What it shows, by the numbers the conformance host uses. */
  section: string;
  /** Gives the root sessions and what asked in them or in their children. */
  play(told: Told): Played | Promise<Played>;
  decisions: string[];
  /** What is told and what is counted with it are decided at the same moment. */
  anyOrder?: boolean;
};
export type Played = { roots: string[]; asks?: string[] };

/** As the scenarios' helpers want it. */
export const askOf = (requestID: string): Ask => ({ requestID, sessionID: "", about: "permission" });

export const announced = "pause delivered unattended";
export const takenBack = "pause withdrawn answered";
/** The run it belonged to is over, and nobody had answered. */
export const gone = "pause withdrawn ended";
export const finished = "done delivered unattended";
export const failed = "error delivered unattended";
export const noWork = "done silent no-real-work";
