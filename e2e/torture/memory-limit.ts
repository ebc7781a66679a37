import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { DAY } from '../../backend/domain/units.ts'
import { systemClock } from '../../backend/lib/clock.ts'
import type { TortureCampaign, TortureFigure } from './campaign.ts'
import { scratchFolder } from './leftovers.ts'
import { writeTrades } from './made-trades.ts'
import { runJob } from './owner-jobs.ts'
import { startService } from './running-service.ts'

/** Loaded by a service before its own code to limit its history's engine once it is ready. */
export const engineLimit = (megabytes: number): string =>
  `${fileURLToPath(new URL('./memory-limit/limit-memory.ts', import.meta.url))}?mb=${megabytes}`

/** Enough for small reads, too little for large ones. */
const LITTLE_MB = 12
const NAME = 'MADE'
const WIDTHS = ['1m', '1h', '1d'] as const

/** Results of reads with an engine short of memory. */
interface Counts {
  right: number
  wrong: number
  refused: number
  otherwise: number
  unhealthy: number
}

/**
 * The real service on a folder whose reads need more memory than its engine may use: each is
 * answered correctly or rejected with 503, and the process keeps running.
 */
export const memoryLimit: TortureCampaign = {
  name: 'memory-limit',
  about: 'F12: questions that need more memory than the engine of the history may take',
  rounds: 50,
  run: ({ rounds, log }) => exceedMemory({ rounds, log, markets: 16, rows: 2_400_000 }),
}

/** @returns the campaign's figures, on a history of so many markets and rows */
export async function exceedMemory(options: {
  readonly rounds: number
  readonly log: (line: string) => void
  readonly markets: number
  readonly rows: number
}): Promise<readonly TortureFigure[]> {
  const { rounds, log, markets, rows } = options
  const root = scratchFolder('memory-limit')
  const questions = Array.from({ length: markets }, (_, n) =>
    WIDTHS.map((width) => `/api/public/market/${NAME}-${n}/candles?tf=${width}&limit=2000`),
  ).flat()
  const expected = await answersOfMuch(root, questions, { markets, rows })

  const service = await startService(['--source', 'none'], {
    dataDir: dataIn(root),
    preload: engineLimit(LITTLE_MB),
  })
  const counts: Counts = { right: 0, wrong: 0, refused: 0, otherwise: 0, unhealthy: 0 }
  let failedExports = 0
  let exit: number | null
  try {
    for (let round = 0; round < rounds; round += 1) {
      const requested = questions.filter((_, n) => n % WIDTHS.length === round % WIDTHS.length)
      await Promise.all(
        requested.map(async (path) =>
          count(counts, await askOf(service.url, path), expected.get(path)),
        ),
      )
      const out = `${round}.csv`
      const { state } = await runJob(service, '/api/exports', {
        out,
        kind: 'trades',
        format: 'csv',
      })
      if (state === 'failed') failedExports += 1
      const well = await fetch(`${service.url}/healthz`).catch(() => null)
      if (well?.status !== 200) counts.unhealthy += 1
      log(`round ${round + 1}: ${JSON.stringify({ ...counts, failedExports })}`)
    }
  } finally {
    exit = await service.stop()
  }
  const none = (name: string, value: number) => ({ name, value, goal: '0', met: value === 0 })
  return [
    { name: 'questions answered', value: counts.right },
    {
      name: 'questions refused with 503 DATABASE_ERROR',
      value: counts.refused,
      goal: '> 0',
      met: counts.refused > 0,
    },
    { name: 'exports that failed for want of memory', value: failedExports },
    none('wrong answers', counts.wrong),
    none('questions that failed otherwise', counts.otherwise),
    none('looks at a service that did not answer', counts.unhealthy),
    { name: 'exit code at the end', value: exit ?? 'none', goal: '0', met: exit === 0 },
  ]
}

const dataIn = (root: string): string => join(root, 'data')

/** Fills a history with enough memory, and records the results of reads. */
async function answersOfMuch(
  root: string,
  questions: readonly string[],
  size: { readonly markets: number; readonly rows: number },
): Promise<ReadonlyMap<string, string>> {
  const file = join(root, 'made.parquet')
  await writeTrades(file, NAME, { ...size, from: systemClock.now() - 40 * DAY })
  const service = await startService(['--source', 'none'], { dataDir: dataIn(root) })
  try {
    const { state, error } = await runJob(service, '/api/imports', { paths: [file] })
    if (state !== 'done') throw new Error(`nothing was imported: ${state} ${error ?? ''}`)
    const answers = new Map<string, string>()
    for (const path of questions) {
      const { status, body } = await askOf(service.url, path)
      if (status !== 200) throw new Error(`${path} was answered ${status} with memory enough`)
      answers.set(path, barsOf(body))
    }
    return answers
  } finally {
    await service.stop()
  }
}

interface Answer {
  readonly status: number
  readonly body: string
}

const askOf = async (url: string, path: string): Promise<Answer> =>
  fetch(`${url}${path}`).then(
    async (answer) => ({ status: answer.status, body: await answer.text() }),
    () => ({ status: 0, body: '' }),
  )

const barsOf = (body: string): string =>
  JSON.stringify((JSON.parse(body) as { candles: readonly object[] }).candles)

function count(counts: Counts, { status, body }: Answer, expected: string | undefined): void {
  if (status === 200 && barsOf(body) === expected) counts.right += 1
  else if (status === 200) counts.wrong += 1
  else if (status === 503 && body.includes('"DATABASE_ERROR"')) counts.refused += 1
  else counts.otherwise += 1
}
