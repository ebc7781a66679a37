import { readdirSync, readlinkSync } from 'node:fs'

/**
 * How often this process has a file open, by its absolute path; null when the system does not
 * report it.
 */
export function timesOpen(path: string): number | null {
  if (process.platform !== 'linux') return null
  return readdirSync('/proc/self/fd').filter((fd) => {
    try {
      return readlinkSync(`/proc/self/fd/${fd}`) === path
    } catch {
      // Closed after the folder was listed.
      return false
    }
  }).length
}
