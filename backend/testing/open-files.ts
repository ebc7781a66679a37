import { readdirSync, readlinkSync } from 'node:fs'

/** How often this process has a file open, by its whole path; null where the system does not tell. */
export function timesOpen(path: string): number | null {
  if (process.platform !== 'linux') return null
  return readdirSync('/proc/self/fd').filter((fd) => {
    try {
      return readlinkSync(`/proc/self/fd/${fd}`) === path
    } catch {
      // Closed since the folder was read.
      return false
    }
  }).length
}
