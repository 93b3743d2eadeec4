import type { Clock } from "../shared/clock.ts";
import type { CallAsk } from "../shared/plugin-call.ts";
import { createAskRelay, type Question } from "./ask-relay.ts";
import type { OpenSocket } from "./open-socket.ts";
import type { Answer, PluginCalls } from "./plugin-calls.ts";
import type { RelayAddress } from "./relay-client.ts";

export type AskingDeps = {
  clock: Clock;
  openSocket: OpenSocket;
  addresses(): readonly RelayAddress[];
  calls: PluginCalls | undefined;
};

/** Questions of a person to the server parts this terminal can reach, by socket or, where there is none, by call. */
export function createAsking({ clock, openSocket, addresses, calls }: AskingDeps) {
  const askRelay = createAskRelay({ clock, openSocket });

  const askCalls = async (question: Question): Promise<Answer[]> => {
    const answer = await calls?.ask(toCall(question));
    return answer === undefined ? [] : [answer];
  };

  return {
    async askAll(question: Question): Promise<Answer[]> {
      const answers = await Promise.all(addresses().map((address) => askRelay(address, question)));
      const told = answers.filter((answer) => answer !== undefined);
      return told.length > 0 ? told : askCalls(question);
    },
    async askOne(question: Question): Promise<Answer | undefined> {
      for (const address of addresses()) {
        const answer = await askRelay(address, question);
        if (answer !== undefined) return answer;
      }
      return (await askCalls(question))[0];
    },
  };
}

const toCall = (question: Question): CallAsk =>
  question.type === "mute" ? { ask: "mute", ms: question.ms } : { ask: question.type };
