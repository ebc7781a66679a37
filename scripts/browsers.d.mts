/** Path of an installed Chromium, Chrome or Edge, or null. */
export function findBrowser(
  platform: NodeJS.Platform,
  env: Readonly<Record<string, string | undefined>>,
  exists?: (path: string) => boolean,
): string | null
