import { readStored, writeStored, type KeyValueStore } from '../../lib/key-value-store.ts'

const NAME = 'augury.welcome'
const VERSION = 1

/** Whether the welcome card of the first launch is shown; once closed it stays closed. */
export class Welcome {
  readonly #storage: KeyValueStore
  isOpen = $state(true)

  constructor(storage: KeyValueStore) {
    this.#storage = storage
    this.isOpen = readStored(storage, NAME, VERSION, ({ closed }) => closed === true) !== true
  }

  close(): void {
    this.isOpen = false
    writeStored(this.#storage, NAME, VERSION, { closed: true })
  }
}
