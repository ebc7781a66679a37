import { randomUUID } from 'node:crypto'
import { mkdir, open, rm, type FileHandle } from 'node:fs/promises'
import { join } from 'node:path'
import type { RunFile } from '../run-reads.ts'

/** A part of the file that is taken or free. */
export interface Extent {
  readonly at: number
  readonly bytes: number
}

/** Parts begin and end at pages of the system. */
const PAGE = 4_096
const pages = (bytes: number): number => Math.ceil(bytes / PAGE) * PAGE

/**
 * Where the ordered windows of all readings lie: one file without a name, so that nothing is left of it
 * however the process ends, and a process that is started can be handed it before anybody knows what it
 * will read. What is given back is taken again, lowest first; what is free at the end goes back to the disk.
 */
export class WindowFile implements RunFile {
  readonly #file: FileHandle
  readonly #read: FileHandle
  readonly #path: string
  /** Ascending, never side by side. */
  #free: Extent[] = []
  #end = 0
  #shrinking: Promise<void> | null = null

  private constructor(file: FileHandle, read: FileHandle, path: string) {
    this.#file = file
    this.#read = read
    this.#path = path
  }

  static async in(folder: string): Promise<WindowFile> {
    await mkdir(folder, { recursive: true })
    const path = join(folder, `run-${randomUUID()}`)
    const file = await open(path, 'wx+', 0o600)
    try {
      return new WindowFile(file, await open(path, 'r'), path)
    } catch (error) {
      await file.close()
      throw error
    } finally {
      // Where a name cannot go before its file is closed, it goes then.
      await rm(path, { force: true }).catch(() => {})
    }
  }

  get fd(): number {
    return this.#read.fd
  }

  /** Open for writing too. */
  get writableFd(): number {
    return this.#file.fd
  }

  /** Of the whole file, with what is free inside. */
  get bytes(): number {
    return this.#end
  }

  async take(bytes: number): Promise<Extent> {
    // What is cut off must not be what was just taken.
    while (this.#shrinking !== null) await this.#shrinking
    const wanted = pages(bytes)
    const index = this.#free.findIndex((free) => free.bytes >= wanted)
    const found = this.#free[index]
    if (found === undefined) {
      const at = this.#end
      this.#end += wanted
      return { at, bytes: wanted }
    }
    const rest = { at: found.at + wanted, bytes: found.bytes - wanted }
    this.#free.splice(index, 1, ...(rest.bytes > 0 ? [rest] : []))
    return { at: found.at, bytes: wanted }
  }

  give(extents: readonly Extent[]): void {
    const joined: Extent[] = []
    for (const free of [...this.#free, ...extents].sort((a, b) => a.at - b.at)) {
      const last = joined.at(-1)
      if (last !== undefined && last.at + last.bytes === free.at) {
        joined[joined.length - 1] = { at: last.at, bytes: last.bytes + free.bytes }
      } else joined.push(free)
    }
    const last = joined.at(-1)
    if (last !== undefined && last.at + last.bytes === this.#end) {
      joined.pop()
      this.#end = last.at
      this.#shrink()
    }
    this.#free = joined
  }

  async write(bytes: Uint8Array, at: number): Promise<void> {
    for (let done = 0; done < bytes.byteLength;) {
      const left = bytes.byteLength - done
      done += (await this.#file.write(bytes, done, left, at + done)).bytesWritten
    }
  }

  async read(target: Uint8Array, at: number): Promise<void> {
    for (let done = 0; done < target.byteLength;) {
      const { bytesRead } = await this.#read.read(target, done, target.byteLength - done, at + done)
      if (bytesRead === 0) throw new Error('the file of a run’s events is shorter than it was')
      done += bytesRead
    }
  }

  async close(): Promise<void> {
    await this.#shrinking
    await this.#file.close()
    await this.#read.close()
    await rm(this.#path, { force: true }).catch(() => {})
  }

  #shrink(): void {
    const cut = async (): Promise<void> => {
      for (let end = -1; end !== this.#end;) {
        end = this.#end
        // A file that cannot be cut only takes room for longer.
        await this.#file.truncate(end).catch(() => {})
      }
      this.#shrinking = null
    }
    this.#shrinking ??= cut()
  }
}
