/** A call the reduced hosts offer and nobody of ours should need. */
const registrationOnly = () => ({
  transform: async () => ({ dispose: async () => {} }),
  reload: async () => {},
  hook: async () => ({}),
});

/** §1.4: what the v2 pass inside a 1.x host gives to `setup`: registration-only domains, no events, no sessions. */
export function embeddedContext() {
  return {
    options: {},
    agent: registrationOnly(),
    aisdk: registrationOnly(),
    catalog: registrationOnly(),
    command: registrationOnly(),
    integration: registrationOnly(),
    plugin: { list: async () => ({ location: { directory: "/w" }, data: [] }) },
    reference: registrationOnly(),
    skill: registrationOnly(),
  };
}

/** The alpha's server context: events and sessions, but no app, location, storage, permission (observed document). */
export function alphaContext(subscribe: () => AsyncIterable<unknown>, get: (input: unknown) => Promise<unknown>) {
  return {
    ...embeddedContext(),
    event: { subscribe },
    session: {
      get,
      hook: async () => ({ dispose: async () => {} }),
      create: get,
      prompt: get,
      command: get,
      synthetic: get,
      interrupt: get,
    },
    tool: registrationOnly(),
  };
}

/** §1.4: some 2.x processes hand the server module a terminal's context. */
export function terminalSideContext() {
  return { options: {}, client: {}, data: {}, ui: {}, keymap: {}, renderer: {} };
}
