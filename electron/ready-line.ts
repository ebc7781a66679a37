/** The line that the backend prints once, when it is ready. */
export interface Ready {
  /** Address of the service and of the page. */
  readonly url: string
  readonly source: string
  readonly dataDir: string
  readonly version: string
}

/** Parses the only line on the backend's stdout; null for anything else. */
export function readReadyLine(line: string): Ready | null {
  let value: unknown
  try {
    value = JSON.parse(line)
  } catch {
    return null
  }
  if (typeof value !== 'object' || value === null) return null
  const { ready, url, source, dataDir, version } = value as Record<string, unknown>
  if (ready !== true || typeof url !== 'string' || !URL.canParse(url)) return null
  if (typeof source !== 'string' || typeof dataDir !== 'string') return null
  return { url, source, dataDir, version: typeof version === 'string' ? version : '' }
}
