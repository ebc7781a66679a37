import { recall, remember, type KeyValueStore } from '../../lib/key-value-store.ts'

const NAME = 'augury.welcome'
const VERSION = 1

/** Whether the welcome card of the first launch is shown; once closed it stays closed. */
export class Welcome {
  readonly #keep: KeyValueStore
  isOpen = $state(true)

  constructor(keep: KeyValueStore) {
    this.#keep = keep
    this.isOpen = recall(keep, NAME, VERSION, ({ closed }) => closed === true) !== true
  }

  close(): void {
    this.isOpen = false
    remember(this.#keep, NAME, VERSION, { closed: true })
  }
}
