/** A text as one argument of a POSIX shell, in single quotes if it needs them. */
export const shellWord = (text: string): string =>
  /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`

/** A text as one argument of the Windows command prompt, which supports only double quotes. */
const windowsWord = (text: string): string =>
  /^[\w@+=:,./\\-]+$/.test(text) ? text : `"${text.replaceAll('"', '')}"`

const isWindows = (path: string): boolean => /^([a-z]:\\|\\\\)/i.test(path)

/** The command that restores a backup into a data folder. */
export function restoreLine(backup: string, dataDir: string): string {
  const quote = isWindows(dataDir) ? windowsWord : shellWord
  return `npx augury restore ${quote(backup)} --data ${quote(dataDir)} --force`
}

/** Default path of today's backup: beside the data folder, because it may not be inside it. */
export function suggestedFolder(dataDir: string, now: number): string {
  const separator = isWindows(dataDir) ? '\\' : '/'
  const parent = dataDir.split(separator).slice(0, -1).join(separator)
  const day = new Date(now).toISOString().slice(0, 10)
  return `${parent}${separator}augury-backup-${day}`
}

/** Bytes in decimal units: `1.2 GB`. */
export function formatBytes(bytes: number): string {
  for (const [size, unit] of [
    [1e12, 'TB'],
    [1e9, 'GB'],
    [1e6, 'MB'],
    [1e3, 'kB'],
  ] as const) {
    if (bytes >= size) return `${(bytes / size).toFixed(bytes >= 100 * size ? 0 : 1)} ${unit}`
  }
  return `${bytes} B`
}
