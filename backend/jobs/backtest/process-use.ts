import { readFile } from 'node:fs/promises'
import type { ProcessUse } from './strategy-watch.ts'

const PAGE_BYTES = 4_096
/** Length of the kernel's CPU time unit, the same on every Linux that runs Node. */
const TICK_MS = 10

/** Memory and CPU time of a process, where the system reports them. */
export async function useOf(pid: number | undefined): Promise<ProcessUse> {
  const [pages, stat] = await Promise.all([read(pid, 'statm'), read(pid, 'stat')])
  const resident = pages?.split(' ')[1]
  // The name is in parentheses and may contain anything.
  const fields = stat?.slice(stat.lastIndexOf(')') + 2).split(' ')
  const [user, system] = [Number(fields?.[11]), Number(fields?.[12])]
  return {
    residentMb: resident === undefined ? null : (Number(resident) * PAGE_BYTES) / 1024 / 1024,
    cpuMs: Number.isFinite(user + system) ? (user + system) * TICK_MS : null,
  }
}

const read = (pid: number | undefined, name: string): Promise<string | null> =>
  readFile(`/proc/${pid ?? 0}/${name}`, 'utf8').catch(() => null)
