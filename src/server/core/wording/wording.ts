import type { AlertKind } from "../decision.ts";

/**
 * Every sentence a person hears or reads in an alert, in one language. A parameter left out leaves its detail out:
 * `alerts.detail: "none"` is calling without arguments. Details are shown verbatim; cleaning them is the caller's work.
 */
export type Wording = {
  /** BCP 47 language tag, for choosing a voice. */
  language: string;
  question(header?: string): string;
  questions(count: number): string;
  permission(action?: string): string;
  /** Questions and permissions of one session told together. */
  requests(count: number): string;
  done(durationMs?: number): string;
  error(name?: string): string;
  /** The host retries and retries; `attempt` counts from 1. */
  stuck(attempt?: number): string;
  /** The host's sweeper stopped a session nobody touched. */
  inactive(): string;
  /** Said again about an alert that still waits; `of` is that alert's own sentence. */
  reminder(of: string): string;
  /** Several ends in one banner; `titles` names them. */
  summary(count: number, titles: string): string;
  /** For what leaves the machine: nothing but the kind. */
  kind: Record<AlertKind, string>;
  /** The buttons on a permission's banner. */
  actions: { allowOnce: string; deny: string };
};

/** How a detail follows its sentence, in every language. */
export const withDetail = (sentence: string, detail: string | undefined): string =>
  detail === undefined || detail === "" ? sentence : `${sentence} · ${detail}`;

/** What a voice says: whose alert it is first, and no sign that a voice would read out. */
export const spokenLine = (title: string, sentence: string): string => `${title}: ${sentence.replaceAll(" · ", ", ")}`;
