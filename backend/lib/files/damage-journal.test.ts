import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Damage } from '../../domain/history-damage.ts'
import type { Millis } from '../../domain/units.ts'
import {
  acceptLosses,
  DAMAGE_JOURNAL,
  openLosses,
  readDamage,
  recordDamage,
} from './damage-journal.ts'
import { replaceFile } from './durable-file.ts'
import { wasUsed } from './folder-use.ts'
import { keepDamagedLog, quarantine, stampForName } from './quarantine.ts'
import { recordsIn, signedLine } from './signed-lines.ts'

const AT = Date.parse('2026-11-20T14:00:00.123Z') as Millis

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'augury-files-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

describe('the journal of damage', () => {
  const damage = (at: number, missing: string | null) =>
    ({ store: 'history', at: at as Millis, missing }) as unknown as Damage

  it('lists what was lost since the owner accepted losses', () => {
    const below = join(folder, 'data')
    expect([readDamage(below), openLosses(below)]).toEqual([[], []])
    recordDamage(below, damage(1, 'trades'))
    recordDamage(below, damage(2, null))
    expect(openLosses(below)).toEqual([{ store: 'history', at: 1, missing: 'trades' }])
    acceptLosses(below, 3 as Millis)
    expect(openLosses(below)).toEqual([])
    recordDamage(below, damage(4, 'quotes'))
    recordDamage(below, damage(5, 'books'))
    expect(openLosses(below).map(({ missing }) => missing)).toEqual(['quotes', 'books'])
    expect(readDamage(below).map(({ at }) => at)).toEqual([1, 2, 4, 5])
    if (process.platform !== 'win32')
      expect(statSync(join(below, DAMAGE_JOURNAL)).mode & 0o777).toBe(0o600)
  })

  it('skips a truncated line and keeps the one after it', () => {
    recordDamage(folder, damage(1, 'trades'))
    appendFileSync(join(folder, DAMAGE_JOURNAL), '{"damage":{"sto')
    recordDamage(folder, damage(2, 'quotes'))
    expect(readDamage(folder).map(({ at }) => at)).toEqual([1, 2])
  })
})

describe('lines with a checksum', () => {
  it('are read back, without truncated or changed ones', () => {
    const records = [{ day: 1 }, { day: 2, text: 'a\tb\n' }, { day: 3 }]
    const [first = '', second = '', third = ''] = records.map(signedLine)
    expect(recordsIn(`${first}${second}${third}`)).toEqual(records)
    const changed = second.replace('2', '5')
    expect(recordsIn(`${first}${changed}${third.slice(0, -3)}`)).toEqual([{ day: 1 }])
    expect(recordsIn(`\n\t0\n${third}`)).toEqual([{ day: 3 }])
  })
})

describe('a file', () => {
  it('is replaced at once, readable by its owner only', () => {
    const path = join(folder, 'some.json')
    replaceFile(path, 'old')
    replaceFile(path, Buffer.from('new'))
    expect(readFileSync(path, 'utf8')).toBe('new')
    expect(readdirSync(folder)).toEqual(['some.json'])
    if (process.platform !== 'win32') expect(statSync(path).mode & 0o777).toBe(0o600)
  })

  it.each(['secrets/session.jwk', 'parquet/days.jsonl'])('%s proves that a service ran', (name) => {
    expect(wasUsed(folder)).toBe(false)
    mkdirSync(join(folder, name, '..'), { recursive: true })
    writeFileSync(join(folder, name), '')
    expect(wasUsed(folder)).toBe(true)
  })
})

describe('a damaged database', () => {
  const path = () => join(folder, 'history.duckdb')
  const write = (...names: readonly string[]) => {
    for (const name of names) writeFileSync(join(folder, name), name)
  }
  const ASIDE = 'history.duckdb.corrupt-2026-11-20T140000Z'

  it('is set aside with its logs, and nothing else', () => {
    write(
      'history.duckdb',
      'history.duckdb.wal',
      'history.duckdb-journal',
      'history.duckdb.old',
      'other.wal',
    )
    expect(quarantine(path(), AT)).toBe(join(folder, ASIDE))
    expect(readdirSync(folder).toSorted()).toEqual(
      [ASIDE, `${ASIDE}.wal`, `${ASIDE}-journal`, 'history.duckdb.old', 'other.wal'].toSorted(),
    )
    expect(readFileSync(join(folder, `${ASIDE}.wal`), 'utf8')).toBe('history.duckdb.wal')
  })

  it('has a name of its own each time', () => {
    for (const name of [ASIDE, `${ASIDE}-2`, `${ASIDE}-3`]) {
      write('history.duckdb')
      expect(quarantine(path(), AT)).toBe(join(folder, name))
    }
  })

  it('may be missing, with or without its log', () => {
    expect(quarantine(path(), AT)).toBeNull()
    write('history.duckdb.wal')
    expect(quarantine(path(), AT)).toBe(join(folder, ASIDE))
    expect(readdirSync(folder)).toEqual([`${ASIDE}.wal`])
  })

  it('keeps a copy of its log', () => {
    write('history.duckdb.wal')
    expect(keepDamagedLog(path(), AT)).toBe(join(folder, `${ASIDE}.wal`))
    expect(existsSync(`${path()}.wal`)).toBe(true)
    expect(stampForName(AT)).toBe('2026-11-20T140000Z')
  })
})
