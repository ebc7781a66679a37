import { appendFileSync, existsSync, mkdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'

const NAME = 'backend.log'
const MAX_BYTES = 5_000_000
const MAX_FILES = 3

/**
 * A log that starts a new file at 5 MB and keeps three older ones. Lines that cannot be written
 * are dropped: a full disk must not end the app.
 */
export class LogFile {
  readonly folder: string
  readonly #path: string
  #bytes: number

  constructor(folder: string) {
    this.folder = folder
    this.#path = join(folder, NAME)
    this.#bytes = existsSync(this.#path) ? statSync(this.#path).size : 0
  }

  write(text: string): void {
    try {
      mkdirSync(this.folder, { recursive: true, mode: 0o700 })
      if (this.#bytes > MAX_BYTES) this.#turn()
      appendFileSync(this.#path, text, { mode: 0o600 })
      this.#bytes += Buffer.byteLength(text)
    } catch {
      return
    }
  }

  #turn(): void {
    const older = (number: number) => `${this.#path}.${number}`
    rmSync(older(MAX_FILES), { force: true })
    for (let number = MAX_FILES - 1; number >= 1; number -= 1) {
      if (existsSync(older(number))) renameSync(older(number), older(number + 1))
    }
    renameSync(this.#path, older(1))
    this.#bytes = 0
  }
}
