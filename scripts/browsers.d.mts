/** Path of an installed Chromium, Chrome or Edge, or null. */
export function findBrowser(
  platform: NodeJS.Platform,
  env: Readonly<Record<string, string | undefined>>,
  exists?: (path: string) => boolean,
): string | null

/** Command and package of the headless shell of Chromium. */
export const HEADLESS_SHELL: string

/** Path of the browser for the tests, or null: the headless shell of Chromium, else as above. */
export function findTestBrowser(
  platform: NodeJS.Platform,
  env: Readonly<Record<string, string | undefined>>,
  exists?: (path: string) => boolean,
): string | null
