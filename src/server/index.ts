/**
 * The door for both lines: 1.18 calls `server`, 2.x calls `setup`. Never a `tui` on this object (1.18 refuses both).
 * Neither line's code is loaded before its host asks for it.
 */
export default {
  id: "beckon",
  server: async (input: unknown) => (await import("./hosts/v1/plugin.ts")).server(input),
  setup: async (context: unknown) => (await import("./hosts/v2/plugin.ts")).setup(context),
};
