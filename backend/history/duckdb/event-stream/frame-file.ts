import { randomUUID } from 'node:crypto'
import { mkdir, open, rm, type FileHandle } from 'node:fs/promises'
import { join } from 'node:path'
import type { FrameSource } from '../../event-streams.ts'

/** A part of the file, allocated or free. */
export interface Extent {
  readonly at: number
  readonly bytes: number
}

/** Extents begin and end at pages of the system. */
const PAGE = 4_096
const pages = (bytes: number): number => Math.ceil(bytes / PAGE) * PAGE

/**
 * The file of the frames of all streams. It is unlinked when it is opened, so that nothing remains
 * of it however the process ends; strategies inherit its descriptor. Allocation is first fit, and
 * free space at the end is truncated.
 */
export class FrameFile implements FrameSource {
  readonly #file: FileHandle
  readonly #read: FileHandle
  readonly #path: string
  /** Ascending; adjacent extents are merged. */
  #free: Extent[] = []
  #end = 0
  #truncation: Promise<void> | null = null

  private constructor(file: FileHandle, read: FileHandle, path: string) {
    this.#file = file
    this.#read = read
    this.#path = path
  }

  /** Creates the file in a folder. */
  static async create(folder: string): Promise<FrameFile> {
    await mkdir(folder, { recursive: true })
    const path = join(folder, `events-${randomUUID()}`)
    const file = await open(path, 'wx+', 0o600)
    try {
      return new FrameFile(file, await open(path, 'r'), path)
    } catch (error) {
      await file.close()
      throw error
    } finally {
      // A system that cannot unlink an open file removes it in close().
      await rm(path, { force: true }).catch(() => {})
    }
  }

  /** Descriptor for reading only. */
  get fd(): number {
    return this.#read.fd
  }

  /** Descriptor for writing, for the sort thread. */
  get writableFd(): number {
    return this.#file.fd
  }

  /** Length of the file, free extents included. */
  get bytes(): number {
    return this.#end
  }

  async allocate(bytes: number): Promise<Extent> {
    // A pending truncation must not cut off newly allocated extents.
    while (this.#truncation !== null) await this.#truncation
    const pageCount = pages(bytes)
    const index = this.#free.findIndex((free) => free.bytes >= pageCount)
    const freeExtent = this.#free[index]
    if (freeExtent === undefined) {
      const at = this.#end
      this.#end += pageCount
      return { at, bytes: pageCount }
    }
    const rest = { at: freeExtent.at + pageCount, bytes: freeExtent.bytes - pageCount }
    this.#free.splice(index, 1, ...(rest.bytes > 0 ? [rest] : []))
    return { at: freeExtent.at, bytes: pageCount }
  }

  release(extents: readonly Extent[]): void {
    const mergedExtents: Extent[] = []
    for (const free of [...this.#free, ...extents].sort((a, b) => a.at - b.at)) {
      const last = mergedExtents.at(-1)
      if (last !== undefined && last.at + last.bytes === free.at) {
        mergedExtents[mergedExtents.length - 1] = { at: last.at, bytes: last.bytes + free.bytes }
      } else mergedExtents.push(free)
    }
    const last = mergedExtents.at(-1)
    if (last !== undefined && last.at + last.bytes === this.#end) {
      mergedExtents.pop()
      this.#end = last.at
      this.#truncate()
    }
    this.#free = mergedExtents
  }

  async read(target: Uint8Array, at: number): Promise<void> {
    for (let position = 0; position < target.byteLength;) {
      const { bytesRead } = await this.#read.read(
        target,
        position,
        target.byteLength - position,
        at + position,
      )
      if (bytesRead === 0) throw new Error('The event file is shorter than expected')
      position += bytesRead
    }
  }

  async close(): Promise<void> {
    await this.#truncation
    await this.#file.close()
    await this.#read.close()
    await rm(this.#path, { force: true }).catch(() => {})
  }

  #truncate(): void {
    const waitUntilStable = async (): Promise<void> => {
      for (let end = -1; end !== this.#end;) {
        end = this.#end
        // On failure the file stays larger for a while.
        await this.#file.truncate(end).catch(() => {})
      }
      this.#truncation = null
    }
    this.#truncation ??= waitUntilStable()
  }
}
