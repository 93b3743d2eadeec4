import { type Desktop, type DesktopOptions, startDesktop } from "./desktop.ts";

/** Runs `use` inside a private desktop and ends all of it afterwards, whatever happens. */
export async function withDesktop<T>(options: DesktopOptions, use: (desktop: Desktop) => Promise<T>): Promise<T> {
  const desktop = await startDesktop(options);
  try {
    return await use(desktop);
  } finally {
    await desktop.close();
  }
}
