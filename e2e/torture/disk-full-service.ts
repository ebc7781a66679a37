import { closeSync, openSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { systemClock } from '../../backend/lib/clock.ts'
import { SECOND } from '../../backend/domain/units.ts'
import type { TortureCampaign } from './campaign.ts'
import { quantile } from './chance.ts'
import { startService, type RunningService } from './running-service.ts'
import { fill, free, mountSmallDisk, unmount } from './small-disk.ts'

const DISK_MB = 192
/** Enough that writes never stop. */
const MARKETS = 200
/** The status page is cached for 15 s and refreshed every 20 s. */
const SHOWN_WITHIN = 90 * SECOND
const BACK_WITHIN = 90 * SECOND
const FULL_FOR = 3 * SECOND
const ROUND_EVERY = 250
/** Characters of the service's log that are printed after an unexpected exit. */
const SHOWN_OF_LOG = 1_000

interface Counts {
  readsServed: number
  readsFailed: number
  writesRefused: number
  writesTaken: number
  wrongRefusals: number
  roundsShown: number
  /** Checks of a full disk in which health, status and doctor disagreed. */
  disagreements: number
}

/**
 * The real service with its data folder and its log on a small disk that another process fills:
 * reads over HTTP succeed, writes are rejected, the status page reports it, and when space returns
 * everything continues without a restart.
 */
export const diskFullService: TortureCampaign = {
  name: 'disk-full-service',
  about: 'F2 over HTTP: folder and log of the service on a full disk (needs root)',
  rounds: 10,
  async run({ rounds, seed, log }) {
    const disk = mountSmallDisk(DISK_MB)
    if (disk === null) {
      log('skipped: a small disk cannot be mounted here (it needs root)')
      return [{ name: 'skipped', value: 'a small disk cannot be mounted here' }]
    }
    const logFile = join(disk, 'service.log')
    const logFd = openSync(logFile, 'a')
    const counts: Counts = {
      readsServed: 0,
      readsFailed: 0,
      writesRefused: 0,
      writesTaken: 0,
      wrongRefusals: 0,
      roundsShown: 0,
      disagreements: 0,
    }
    const recoveries: number[] = []
    let exitCode: number | null
    try {
      const flags = ['--source', 'demo', '--demo-markets', String(MARKETS), '--seed', String(seed)]
      const service = await startService(flags, { dataDir: join(disk, 'data'), log: logFd })
      const rows = join(disk, 'rows.csv')
      writeFileSync(rows, 'nothing\n')
      try {
        await untilTaken(service, rows)
        for (let round = 0; round < rounds; round++) {
          await strike(service, disk, rows, counts)
          free(disk)
          recoveries.push(await untilTaken(service, rows))
          log(`round ${round + 1}: back after ${Math.round(recoveries.at(-1) ?? NaN)} ms`)
        }
      } finally {
        exitCode = await service.stop()
        if (exitCode !== 0) log(readFileSync(logFile, 'utf8').slice(-SHOWN_OF_LOG))
      }
    } finally {
      closeSync(logFd)
      unmount(disk)
    }
    const slowest = Math.round(quantile(recoveries, 1))
    const none = (name: string, value: number) => ({ name, value, goal: '0', met: value === 0 })
    return [
      { name: 'disks filled', value: rounds },
      { name: 'reads answered while full', value: counts.readsServed },
      none('reads that failed while full', counts.readsFailed),
      { name: 'writes refused with 503', value: counts.writesRefused },
      none('writes refused otherwise', counts.wrongRefusals),
      { name: 'writes that found room', value: counts.writesTaken },
      none('disagreements of health, status and doctor', counts.disagreements),
      {
        name: 'rounds that the status page showed',
        value: counts.roundsShown,
        goal: 'all',
        met: counts.roundsShown === rounds,
      },
      {
        name: 'all well again at most, s',
        value: slowest / 1_000,
        goal: 'without a restart',
        met: slowest < BACK_WITHIN,
      },
      { name: 'exit code at the end', value: exitCode ?? 'none', goal: '0', met: exitCode === 0 },
    ]
  },
}

/**
 * Fills the disk and sends requests until the status page reports that history cannot be written.
 */
async function strike(
  service: RunningService,
  disk: string,
  rows: string,
  counts: Counts,
): Promise<void> {
  const startedAt = systemClock.monotonic()
  const lasted = (): number => systemClock.monotonic() - startedAt
  let isShown = false
  for (let turn = 0; lasted() < (isShown ? FULL_FOR : SHOWN_WITHIN); turn++) {
    fill(disk)
    for (const status of await writesOf(service, rows)) {
      if (status === 503) counts.writesRefused += 1
      else if (status < 300) counts.writesTaken += 1
      else counts.wrongRefusals += 1
    }
    // Another page each time, because a cached response proves nothing about the disk.
    const read = await fetch(`${service.url}/api/public/markets?limit=${1 + (turn % 100)}`)
    if (read.status === 200) counts.readsServed += 1
    else counts.readsFailed += 1
    const wasShown = isShown
    isShown ||= (await statusOf(service, 'history')) === 'outage'
    if (isShown && !wasShown && !(await agrees(service))) counts.disagreements += 1
    await systemClock.sleep(ROUND_EVERY)
  }
  if (isShown) counts.roundsShown += 1
}

/** Whether health, status and doctor report the full disk with the same text. */
async function agrees(service: RunningService): Promise<boolean> {
  const json = async <T>(answer: Promise<Response>): Promise<T> =>
    (await answer).json() as Promise<T>
  const health = await json<{ condition: string }>(fetch(`${service.url}/api/health`))
  const status = await json<{ status: string; components: { name: string; message: string }[] }>(
    fetch(`${service.url}/status?format=json`),
  )
  const doctor = await json<{
    ok: boolean
    checks: { name: string; state: string; detail: string }[]
  }>(service.asOwner('/api/doctor'))
  const messageOf = (part: string): string | undefined =>
    status.components.find(({ name }) => name === part)?.message
  const found = (check: string): string | undefined =>
    doctor.checks.find(({ name, state }) => name === check && state === 'fail')?.detail
  return (
    health.condition === 'outage' &&
    status.status === 'outage' &&
    !doctor.ok &&
    isFullDisk(messageOf('database')) &&
    isFullDisk(messageOf('history')) &&
    isFullDisk(found('state')) &&
    isFullDisk(found('history'))
  )
}

const isFullDisk = (text: string | undefined): boolean =>
  /^The disk of .* is full: /.test(text ?? '')

/** Statuses of a write to the operational rows and of an import. */
async function writesOf(service: RunningService, rows: string): Promise<number[]> {
  const key = await service.asOwner('/api/data-keys', { method: 'POST' })
  if (key.status === 201) {
    // An account has a limited number of keys.
    const { id } = (await key.json()) as { id: string }
    await service.asOwner(`/api/data-keys/${id}`, { method: 'DELETE' })
  }
  const body = { paths: [rows] }
  const imported = await service.asOwner('/api/imports', { method: 'POST', body })
  return [key.status, imported.status]
}

/** Waits until writes succeed and the status page is healthy again; returns the duration. */
async function untilTaken(service: RunningService, rows: string): Promise<number> {
  const startedAt = systemClock.monotonic()
  for (;;) {
    const statuses = await writesOf(service, rows)
    const isWell = (await statusOf(service, 'history')) === 'operational'
    const took = systemClock.monotonic() - startedAt
    if ((isWell && statuses.every((status) => status < 300)) || took > BACK_WITHIN) return took
    await systemClock.sleep(ROUND_EVERY)
  }
}

async function statusOf(service: RunningService, name: string): Promise<string | null> {
  const answer = await fetch(`${service.url}/status?format=json`)
  if (answer.status !== 200) return null
  const { components } = (await answer.json()) as {
    components: { name: string; status: string }[]
  }
  return components.find((component) => component.name === name)?.status ?? null
}
