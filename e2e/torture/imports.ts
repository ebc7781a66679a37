import type { TortureCampaign } from './campaign.ts'
import { ImportedRows, type ImportAnswer } from './imported-rows.ts'
import { scratchFolder } from './leftovers.ts'
import { startService } from './running-service.ts'

const ROWS = 400
/** Concurrent imports, as a share of sequential ones. */
const AT_ONCE = 0.2

/**
 * Small imports, sequential and concurrent, with files of the same name, size and time. Every row
 * of an import that ended `done` must be in the history exactly once.
 */
export const imports: TortureCampaign = {
  name: 'imports',
  about: 'imports in a row, and a fifth as many at once (rounds are imports in a row)',
  rounds: 1_000,
  async run({ rounds, log }) {
    const service = await startService(['--source', 'none'])
    try {
      const imported = new ImportedRows(scratchFolder('imports'), ROWS)
      const ended: ImportAnswer[] = []
      for (let round = 0; round < rounds; round++) {
        ended.push(await imported.end(service, await imported.start(service)))
        if (round % 100 === 99)
          log(`${round + 1} imports: ${JSON.stringify(await imported.verify(service))}`)
      }
      const atOnce = Math.max(2, Math.round(rounds * AT_ONCE))
      const started = await Promise.all(
        Array.from({ length: atOnce }, () => imported.start(service)),
      )
      for (const one of started) ended.push(await imported.end(service, one))
      const failed = ended.filter(({ state }) => state !== 'done')
      for (const { state, files } of failed.slice(0, 3)) log(`${state}: ${files[0]?.error ?? ''}`)
      const verdict = await imported.verify(service)
      const none = (name: string, value: number) => ({ name, value, goal: '0', met: value === 0 })
      return [
        { name: 'imports one after the other', value: rounds },
        { name: 'imports at once', value: atOnce },
        { name: 'rows of each', value: ROWS },
        none('imports that did not end done', failed.length),
        none('acknowledged rows lost', verdict.lost),
        none('rows stored twice', verdict.doubled),
        none('rows that differ from the file', verdict.wrong),
        none('reports that count other rows', verdict.misreported),
      ]
    } finally {
      await service.stop()
    }
  },
}
