import { mkdir, open, rm, type FileHandle } from 'node:fs/promises'
import { join } from 'node:path'
import { randomUUID } from 'node:crypto'

/** Bytes that may be on their way to the disk at once. */
const MOST_UNDER_WAY = 16 * 1024 * 1024

/** Where a run's events lie while it is played: blocks of bytes, put down once and read again. */
export interface RunScratch {
  /** Puts a block down and answers where; the block is the caller's again once `free` is called. */
  put(block: Uint8Array<ArrayBuffer>, free: () => void): number
  /** So much is under way that more should wait for `room`; also when a block could not be put down. */
  readonly isFull: boolean
  /** Resolves when more may be put down; rejects when a block could not be. */
  room(): Promise<void>
  /** Resolves when all blocks are there. */
  settled(): Promise<void>
  read(target: Uint8Array<ArrayBuffer>, at: number): Promise<void>
  close(): Promise<void>
}

/** @param folder null for a history without one: the blocks stay in memory */
export const openScratch = async (folder: string | null): Promise<RunScratch> =>
  folder === null ? new HeldBlocks() : FileBlocks.in(folder)

/** Blocks in a file that has no name any more, so that nothing is left of it however the process ends. */
class FileBlocks implements RunScratch {
  readonly #file: FileHandle
  readonly #path: string
  readonly #writes = new Set<Promise<void>>()
  #end = 0
  #underWay = 0
  #failure: Error | null = null

  private constructor(file: FileHandle, path: string) {
    this.#file = file
    this.#path = path
  }

  static async in(folder: string): Promise<FileBlocks> {
    await mkdir(folder, { recursive: true })
    const path = join(folder, `run-${randomUUID()}`)
    const file = await open(path, 'wx+', 0o600)
    // Where a name cannot go before its file is closed, it goes then.
    await rm(path, { force: true }).catch(() => {})
    return new FileBlocks(file, path)
  }

  put(block: Uint8Array<ArrayBuffer>, free: () => void): number {
    const at = this.#end
    this.#end += block.byteLength
    this.#underWay += block.byteLength
    const write = this.#write(block, at).finally(() => {
      this.#underWay -= block.byteLength
      this.#writes.delete(write)
      free()
    })
    this.#writes.add(write)
    return at
  }

  get isFull(): boolean {
    return this.#underWay > MOST_UNDER_WAY || this.#failure !== null
  }

  async room(): Promise<void> {
    while (this.#underWay > MOST_UNDER_WAY) await Promise.race(this.#writes)
    if (this.#failure !== null) throw this.#failure
  }

  async settled(): Promise<void> {
    await Promise.all(this.#writes)
    if (this.#failure !== null) throw this.#failure
  }

  async read(target: Uint8Array<ArrayBuffer>, at: number): Promise<void> {
    for (let done = 0; done < target.byteLength;) {
      const { bytesRead } = await this.#file.read(target, done, target.byteLength - done, at + done)
      if (bytesRead === 0) throw new Error('the scratch file of a run is shorter than it was')
      done += bytesRead
    }
  }

  async close(): Promise<void> {
    await Promise.all(this.#writes)
    await this.#file.close()
    await rm(this.#path, { force: true }).catch(() => {})
  }

  async #write(block: Uint8Array<ArrayBuffer>, at: number): Promise<void> {
    try {
      for (let done = 0; done < block.byteLength;) {
        const left = block.byteLength - done
        done += (await this.#file.write(block, done, left, at + done)).bytesWritten
      }
    } catch (error) {
      this.#failure ??= error instanceof Error ? error : new Error(String(error))
    }
  }
}

class HeldBlocks implements RunScratch {
  readonly isFull = false
  readonly #blocks: Uint8Array<ArrayBuffer>[] = []

  put(block: Uint8Array<ArrayBuffer>, free: () => void): number {
    this.#blocks.push(block.slice())
    free()
    return this.#blocks.length - 1
  }
  room(): Promise<void> {
    return Promise.resolve()
  }
  settled(): Promise<void> {
    return Promise.resolve()
  }
  read(target: Uint8Array<ArrayBuffer>, at: number): Promise<void> {
    target.set(this.#blocks[at] ?? new Uint8Array())
    return Promise.resolve()
  }
  close(): Promise<void> {
    this.#blocks.length = 0
    return Promise.resolve()
  }
}
