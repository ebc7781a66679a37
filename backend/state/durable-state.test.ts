import {
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Millis } from '../domain/units.ts'
import { silentLogger } from '../lib/logger.ts'
import { openDurableState } from './durable-state.ts'
import { createFeedsStore } from './feeds.store.ts'
import { readCommits } from './commit-log.ts'
import { generationOf } from './seal.ts'

const NOW = Date.parse('2026-11-20T14:00:00Z')
const FRAME = 24 + 4_096

describe('damaged operational rows', () => {
  let folder: string
  let killed: string
  /** The same folder after a clean stop. */
  let live: string
  let now: number
  const open = (path: string, isFolderUsed = false) =>
    openDurableState(path, { now: () => now as Millis, logger: silentLogger, isFolderUsed })
  const at = (name: string): string => join(killed, name)

  beforeEach(async () => {
    now = NOW
    folder = mkdtempSync(join(tmpdir(), 'augury-durable-'))
    killed = join(folder, 'killed')
    live = mkdtempSync(join(folder, 'live-'))
    const path = join(live, 'state.sqlite')
    const first = await open(path)
    await createFeedsStore(first.state).save('venue_a', { tradesUntil: 5 as Millis })
    await first.close()
    cpSync(live, join(folder, 'older'), { recursive: true })
    const second = await open(path)
    now = NOW + 1_000
    await createFeedsStore(second.state).save('venue_a', { tradesUntil: 6 as Millis })
    now = NOW + 2_000
    await createFeedsStore(second.state).save('venue_b', { tradesUntil: 7 as Millis })
    cpSync(live, killed, { recursive: true })
    await second.close()
  })
  afterEach(() => rmSync(folder, { recursive: true, force: true }))

  const reopen = async (isFolderUsed = false) => {
    const opened = await open(at('state.sqlite'), isFolderUsed)
    const feeds = createFeedsStore(opened.state)
    const until = [
      (await feeds.progressOf('venue_a')).tradesUntil,
      (await feeds.progressOf('venue_b')).tradesUntil,
    ]
    await opened.close()
    return { damage: opened.damage, until }
  }
  const turn = (name: string, place: (size: number) => number): void => {
    const content = readFileSync(at(name))
    const byte = place(content.length)
    content[byte] = (content[byte] ?? 0) ^ 0x10
    writeFileSync(at(name), content)
  }
  const empty = (name: string): void => truncateSync(at(name))
  const remove = (name: string): void => rmSync(at(name))

  it('are unchanged after a kill', async () => {
    expect(await reopen()).toEqual({ damage: null, until: [6, 7] })
  })

  it('are restored completely from the copy and the log when the file changed', async () => {
    turn('state.sqlite', (size) => size - 3)
    const { damage, until } = await reopen()
    expect(until).toEqual([6, 7])
    expect(damage?.summary).toMatch(/it was replaced by its copy. Nothing is lost/)
    expect(damage?.missing).toBeNull()
    expect(readdirSync(killed)).toContain('state.sqlite.corrupt-2026-11-20T140002Z')
  })

  it.each([
    ['emptied', () => empty('state.sqlite')],
    ['missing', () => remove('state.sqlite')],
    ['older than its log', () => cpSync(join(folder, 'older', 'state.sqlite'), at('state.sqlite'))],
    [
      'replaced by a new one',
      () => {
        const fresh = new DatabaseSync(join(folder, 'fresh.sqlite'))
        fresh.exec('create table feed (venue text)')
        fresh.close()
        cpSync(join(folder, 'fresh.sqlite'), at('state.sqlite'))
      },
    ],
  ])('are restored completely when the file is %s', async (_, harm) => {
    harm()
    const { damage, until } = await reopen()
    expect(until).toEqual([6, 7])
    expect(damage?.summary).toMatch(/Nothing is lost/)
    expect(await reopen()).toEqual({ damage: null, until: [6, 7] })
  })

  it('are restored completely without their seal', async () => {
    for (const name of ['state.sqlite.seal', 'state.sqlite.bak.seal']) remove(name)
    empty('state.sqlite')
    const { damage, until } = await reopen()
    expect(until).toEqual([6, 7])
    expect(damage).not.toBeNull()
  })

  it('report what is lost if only an older copy is left', async () => {
    for (const end of ['', '.seal']) {
      cpSync(join(folder, 'older', `state.sqlite.bak${end}`), at(`state.sqlite.bak${end}`))
    }
    empty('state.sqlite')
    const { damage, until } = await reopen()
    expect(until).toEqual([5, null])
    expect(damage?.missing).toMatch(/after the copy was made are lost, among them .* writes/)
  })

  it.each([
    ['and their seals', ['', '.bak', '.seal', '.bak.seal'], false],
    ['only', ['', '.bak'], false],
    ['and their seals, and the file is emptied', ['.bak', '.seal', '.bak.seal'], true],
  ])('report what is lost when file and copy are older ones, %s', async (_, ends, isEmptied) => {
    for (const from of [live, killed]) {
      const older = join(folder, 'older')
      const mixed = mkdtempSync(join(folder, 'mixed-'))
      cpSync(from, mixed, { recursive: true })
      for (const end of ends)
        cpSync(join(older, `state.sqlite${end}`), join(mixed, `state.sqlite${end}`))
      killed = mixed
      if (isEmptied) empty('state.sqlite')
      const { damage, until } = await reopen()
      expect(until).toEqual([5, null])
      expect(damage?.missing).toMatch(/after the copy was made are lost/)
      expect((await reopen()).damage).toBeNull()
    }
  })

  it('report that all files were replaced by a set of older ones, once', async () => {
    for (const from of [live, killed]) {
      const mixed = mkdtempSync(join(folder, 'mixed-'))
      cpSync(from, mixed, { recursive: true })
      for (const name of readdirSync(mixed)) {
        if (name.startsWith('state.')) rmSync(join(mixed, name))
      }
      const older = readdirSync(join(folder, 'older')).filter((name) => name.startsWith('state.'))
      for (const name of older) cpSync(join(folder, 'older', name), join(mixed, name))
      killed = mixed
      const { damage, until } = await reopen()
      expect(until).toEqual([5, null])
      expect(damage?.summary).toMatch(/replaced by a set of older ones/)
      expect(damage?.missing).toMatch(/are lost, the newest of 2026-11-20T14:00/)
      expect(await reopen()).toEqual({ damage: null, until: [5, null] })
    }
  })

  it('do not apply a newer log to a set of older files', async () => {
    for (const end of ['', '.bak', '.seal', '.bak.seal', '.commits'])
      cpSync(join(folder, 'older', `state.sqlite${end}`), at(`state.sqlite${end}`))
    const { damage, until } = await reopen()
    expect(until).toEqual([5, null])
    expect(damage?.quarantined).toBe('state.sqlite.corrupt-2026-11-20T140002Z')
    expect(readdirSync(killed)).toContain('state.sqlite.corrupt-2026-11-20T140002Z-wal')
  })

  it('report what is lost when all that is left is a set of older files without the rows', async () => {
    for (const end of ['.bak', '.bak.seal', '.seal', '.commits'])
      cpSync(join(folder, 'older', `state.sqlite${end}`), at(`state.sqlite${end}`))
    remove('state.sqlite-wal')
    empty('state.sqlite')
    const { damage, until } = await reopen()
    expect(until).toEqual([5, null])
    expect(damage?.missing).toMatch(/after the copy was made are lost/)
  })

  it.each(['emptied', 'missing'])(
    'are never silently empty when %s without a copy',
    async (how) => {
      for (const end of ['.bak', '.bak.seal', '-wal']) remove(`state.sqlite${end}`)
      if (how === 'emptied') empty('state.sqlite')
      else remove('state.sqlite')
      const { damage, until } = await reopen()
      expect(until).toEqual([null, null])
      expect(damage?.missing).toMatch(/are lost, and no copy was available/)
    },
  )

  it('are damaged if only the rest of the folder proves that they existed', async () => {
    rmSync(killed, { recursive: true })
    cpSync(mkdtempSync(join(folder, 'empty-')), killed, { recursive: true })
    expect((await reopen(true)).damage?.missing).toMatch(/no copy was available/)
  })

  it('are new in a new folder, whatever a kill left of the first file', async () => {
    rmSync(killed, { recursive: true })
    cpSync(mkdtempSync(join(folder, 'empty-')), killed, { recursive: true })
    writeFileSync(at('state.sqlite'), '')
    expect((await reopen()).damage).toBeNull()
  })

  it('keep their content when it is doubtful and there is no copy', async () => {
    remove('state.sqlite.bak')
    turn('state.sqlite', (size) => size - 3)
    const { damage, until } = await reopen()
    expect(until).toEqual([6, 7])
    expect(damage?.missing).toMatch(/may have been changed/)
  })

  it('report what a damaged log lost', async () => {
    turn('state.sqlite-wal', () => 40)
    const { damage, until } = await reopen()
    expect(until).toEqual([5, null])
    expect(damage?.missing).toBe(
      '2 writes from 2026-11-20T14:00:01.000Z to 2026-11-20T14:00:02.000Z of the operational rows are lost',
    )
    expect(await reopen()).toEqual({ damage: null, until: [5, null] })
  })

  const cutAt = (size: number): void => truncateSync(at('state.sqlite-wal'), size)
  const bytes = (): number => readFileSync(at('state.sqlite-wal')).length
  it.each([
    ['its last frame', 6, () => bytes() - FRAME],
    ['half a frame', 6, () => bytes() - 100],
    ['both commits', 5, () => 32 + 10],
    ['all of it', 5, () => 0],
  ])('report a log that lost %s', async (_, venueA, size) => {
    truncateSync(at('state.sqlite-wal'), size())
    const { damage, until } = await reopen()
    expect(until).toEqual([venueA, null])
    expect(damage?.missing).toMatch(venueA === 6 ? /^One write of .*14:00:02/ : /^2 writes from/)
    expect(await reopen()).toEqual({ damage: null, until: [venueA, null] })
  })

  it('report a log that is missing, or older', async () => {
    remove('state.sqlite-wal')
    expect((await reopen()).damage?.missing).toMatch(/^2 writes/)
  })

  it('report a log that lost its last frame to a changed byte', async () => {
    turn('state.sqlite-wal', (size) => size - 3)
    const { damage, until } = await reopen()
    expect(until).toEqual([6, null])
    expect(damage?.missing).toMatch(/^One write of .*14:00:02/)
  })

  it('report a damaged log of an older version, which kept no records', async () => {
    remove('state.sqlite.commits')
    for (const name of ['state.sqlite.seal', 'state.sqlite.bak.seal']) {
      const { sha256, head } = JSON.parse(readFileSync(at(name), 'utf8')) as Record<string, string>
      writeFileSync(at(name), JSON.stringify({ sha256, head }))
    }
    turn('state.sqlite-wal', (size) => size - 3)
    expect((await reopen()).damage?.missing).toMatch(/after the damaged place/)
  })

  it.each([
    ['removed', 'untouched', () => remove('state.sqlite.commits'), () => {}],
    ['removed', 'cut', () => remove('state.sqlite.commits'), () => cutAt(bytes() - FRAME)],
    ['removed', 'gone', () => remove('state.sqlite.commits'), () => remove('state.sqlite-wal')],
    ['emptied', 'emptied', () => empty('state.sqlite.commits'), () => cutAt(0)],
  ])('report records of commits that are %s while the log is %s', async (_, __, first, then) => {
    first()
    then()
    expect((await reopen()).damage?.missing).toBe(
      'Writes of the operational rows since their last copy may be lost',
    )
    expect((await reopen()).damage).toBeNull()
  })

  it('report a missing log of a file whose header changed', async () => {
    // A change of SQLite's own version number: the file passes the check of SQLite.
    turn('state.sqlite', () => 99)
    remove('state.sqlite-wal')
    expect((await reopen()).damage?.missing).toMatch(/^2 writes .* may be lost/)
  })

  it('do not apply the log of another state of the file', async () => {
    const other = await open(join(folder, 'older', 'state.sqlite'))
    await createFeedsStore(other.state).save('venue_a', { tradesUntil: 99 as Millis })
    cpSync(join(folder, 'older', 'state.sqlite-wal'), at('state.sqlite-wal'))
    await other.close()
    const { damage, until } = await reopen()
    expect(until).toEqual([5, null])
    expect(damage?.missing).toMatch(/^2 writes/)
    expect(readdirSync(killed)).toContain('state.sqlite.corrupt-2026-11-20T140002Z-wal')
  })

  it.each(['emptied', 'missing'])(
    'are not reported as complete when they are %s and the records about them are gone too',
    async (how) => {
      for (const name of ['state.sqlite.commits', 'state.sqlite-wal']) remove(name)
      if (how === 'emptied') empty('state.sqlite')
      else remove('state.sqlite')
      const { damage, until } = await reopen()
      expect(until).toEqual([5, null])
      expect(damage?.missing).toMatch(/are lost/)
    },
  )

  it('are not reported as complete when the seal is gone with the records', async () => {
    for (const end of ['.commits', '.seal']) remove(`state.sqlite${end}`)
    empty('state.sqlite')
    remove('run/state-generation.json')
    const { damage, until } = await reopen()
    expect(until).toEqual([5, null])
    expect(damage?.missing).toMatch(/after the copy was made are lost/)
  })

  it('are restored from the copy and the log when only the noted generation is left', async () => {
    for (const end of ['.commits', '.seal']) remove(`state.sqlite${end}`)
    empty('state.sqlite')
    const { damage, until } = await reopen()
    expect(until).toEqual([6, 7])
    // How much of the log is missing cannot be known without the records.
    expect(damage?.missing).toMatch(/are lost/)
  })

  it('set aside a copy that is damaged with its file, and report it once', async () => {
    turn('state.sqlite.bak', (size) => size - 3)
    empty('state.sqlite')
    expect((await reopen()).damage?.missing).toMatch(/no copy was available/)
    const kept = readdirSync(killed)
    for (const end of ['', '.bak', '-wal', '.commits']) {
      expect(kept).toContain(`state.sqlite.corrupt-2026-11-20T140002Z${end}`)
    }
    expect((await reopen()).damage).toBeNull()
  })

  it('are folded and copied while they are open when their log is long', async () => {
    const opened = await open(at('state.sqlite'))
    await sql`create table filler as select zeroblob(5000000) as bytes`.execute(opened.state)
    const before = generationOf(at('state.sqlite.bak'))
    await opened.maintain()
    expect(readFileSync(at('state.sqlite-wal'))).toHaveLength(0)
    expect(generationOf(at('state.sqlite.bak'))).toBe((before ?? 0) + 1)
    await opened.close()
  })

  it('keep the records of a log that a reader kept from being folded', async () => {
    const opened = await open(at('state.sqlite'))
    const reader = new DatabaseSync(at('state.sqlite'), { readOnly: true })
    reader.exec('begin')
    reader.prepare('select * from feed').all()
    await sql`create table filler as select zeroblob(5000000) as bytes`.execute(opened.state)
    await opened.maintain()
    expect(readFileSync(at('state.sqlite-wal')).length).toBeGreaterThan(0)
    expect(readCommits(at('state.sqlite')).at(-1)?.frames).toBeGreaterThan(0)
    reader.close()
    await opened.close()
  })

  it('keep the copy from before another program wrote the file', async () => {
    const other = new DatabaseSync(at('state.sqlite'))
    other.exec("update feed set trades_until = 9 where venue = 'venue_b'; pragma user_version = 40")
    other.close()
    const { damage, until } = await reopen()
    expect(until).toEqual([6, 9])
    expect(damage?.summary).toMatch(/Another program wrote the file/)
    expect(readdirSync(killed)).toContain('state.sqlite.corrupt-2026-11-20T140002Z.bak')
  })

  it('do not accept an emptied table of another program', async () => {
    const other = new DatabaseSync(at('state.sqlite'))
    other.exec('delete from feed; pragma user_version = 40')
    other.close()
    const { damage } = await reopen()
    expect(damage?.reason).toBe('the file was changed from outside')
    expect(existsSync(at('state.sqlite.corrupt-2026-11-20T140002Z'))).toBe(true)
  })
})
