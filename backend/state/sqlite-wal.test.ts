import {
  copyFileSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { inspectStateWal } from './sqlite-wal.ts'

const HEADER = 32
const FRAME = 24 + 4_096
let folder: string
/** A log of SQLite with three commits, the last of several pages. */
let log: string
let frames: number

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'augury-wal-'))
  const path = join(folder, 'rows.sqlite')
  log = join(folder, 'copied-wal')
  const database = new DatabaseSync(path)
  database.exec('pragma page_size = 4096; pragma journal_mode = wal; pragma wal_autocheckpoint = 0')
  database.exec('create table item (text)')
  database.exec("insert into item values ('first')")
  database.exec('insert into item values (hex(zeroblob(9000)))')
  copyFileSync(`${path}-wal`, log)
  database.close()
  frames = (readFileSync(log).length - HEADER) / FRAME
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const damage = (offset: number): void => {
  const content = readFileSync(log)
  content.writeUInt8(content.readUInt8(offset) ^ 0xff, offset)
  writeFileSync(log, content)
}

it('reads the frames of a log that SQLite wrote', () => {
  expect(frames).toBeGreaterThan(4)
  expect(inspectStateWal(log)).toEqual({
    bytes: HEADER + frames * FRAME,
    salt: readFileSync(log).toString('hex', 16, 24),
    committed: frames,
    committedBytes: HEADER + frames * FRAME,
    isSound: true,
  })
})

it('counts no frames after the last whole commit', () => {
  truncateSync(log, HEADER + (frames - 1) * FRAME)
  const { committed, committedBytes, isSound } = inspectStateWal(log)
  expect(committed).toBeLessThan(frames - 1)
  expect(committedBytes).toBe(HEADER + committed * FRAME)
  expect(isSound).toBe(true)
  truncateSync(log, committedBytes)
  expect(inspectStateWal(log)).toMatchObject({ committed, bytes: committedBytes })
})

it('allows a frame that was not completely written', () => {
  truncateSync(log, HEADER + frames * FRAME - 1)
  expect(inspectStateWal(log)).toMatchObject({ isSound: true })
})

it.each([
  ['its page', 24 + 100],
  ['the last byte of its page', FRAME - 1],
  ['its page number', 3],
  ['the size of the database', 4],
  ['its salt', 8],
  ['its first checksum', 16],
  ['its second checksum', 20],
])('finds a whole frame with a changed byte: %s', (_what, offset) => {
  damage(HEADER + FRAME + offset)
  const { isSound, committed } = inspectStateWal(log)
  expect([isSound, committed <= 1]).toEqual([false, true])
})

it.each([
  ['the magic number', 0],
  ['the version', 4],
  ['the salt', 16],
  ['the checksum', 24],
  ['the second checksum', 28],
])('cannot read a header with another byte in %s', (_what, offset) => {
  damage(offset)
  expect(inspectStateWal(log)).toEqual({
    bytes: HEADER + frames * FRAME,
    salt: '',
    committed: 0,
    committedBytes: 0,
    isSound: false,
  })
})

it('is empty without a log, and unreadable when its header is cut', () => {
  const empty = { bytes: 0, salt: '', committed: 0, committedBytes: 0, isSound: true }
  expect(inspectStateWal(join(folder, 'none'))).toEqual(empty)
  truncateSync(log, HEADER)
  expect(inspectStateWal(log)).toMatchObject({
    bytes: HEADER,
    committed: 0,
    committedBytes: HEADER,
    isSound: true,
  })
  truncateSync(log, HEADER - 1)
  expect(inspectStateWal(log)).toMatchObject({ bytes: HEADER - 1, isSound: false })
  truncateSync(log, 0)
  expect(inspectStateWal(log)).toEqual(empty)
})
