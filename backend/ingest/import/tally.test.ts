import { describe, expect, it } from 'vitest'
import type { FileReport } from '../../domain/import-report.ts'
import { createTally } from './tally.ts'

const EMPTY: FileReport = {
  path: '/data/some.csv',
  layout: null,
  rowsTaken: 0,
  rowsKnown: 0,
  rowsRefused: 0,
  reasons: [],
  error: null,
}

describe('the counts of a file', () => {
  it('are reported after each change', () => {
    const reports: FileReport[] = []
    const tally = createTally('/data/some.csv', (report) => reports.push(report), 3)
    expect([tally.source, tally.file]).toEqual(['some.csv', 3])
    expect(tally.report()).toEqual(EMPTY)
    tally.refuse('bad price', 0, 1)
    expect(reports).toEqual([])
    const changes = [
      () => tally.name('some_layout'),
      () => tally.addRows(2),
      () => tally.addRows(3),
      () => tally.know(4),
      () => tally.know(1),
      () => tally.refuse('bad price', 2, 9),
      () => tally.refuse('bad price', 1, 7),
      () => tally.refuse('bad price', 1, 8),
      () => tally.refuse('no ticker', 1, 2),
      () => tally.leaveUndescribed(2),
      () => tally.leaveUndescribed(1),
      () => tally.settle({ taken: 10, known: 20 }),
      () => tally.settle({ taken: 1, known: 2, takenBefore: 1 }),
      () => tally.settle({ error: 'no space left' }),
      () => tally.fail('the file was removed'),
    ]
    for (const change of changes) change()
    expect(reports).toHaveLength(changes.length)
    expect(reports.at(-2)?.error).toBe('no space left')
    expect(reports.at(-1)).toEqual({
      path: '/data/some.csv',
      layout: 'some_layout',
      rowsTaken: 16,
      rowsTakenBefore: 1,
      rowsKnown: 27,
      rowsUndescribed: 3,
      marketsUndescribed: 2,
      rowsRefused: 5,
      reasons: [
        { reason: 'bad price', count: 4, firstRow: 7 },
        { reason: 'no ticker', count: 1, firstRow: 2 },
      ],
      error: 'the file was removed',
    })
    expect(tally.report()).toEqual(reports.at(-1))
  })
})
