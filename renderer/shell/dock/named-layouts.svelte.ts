import type { SerializedDockview } from 'dockview-core'
import {
  readStoredOrProblem,
  writeStored,
  setAside,
  type KeyValueStore,
  type StorageProblem,
} from '../../lib/key-value-store.ts'
import {
  LAYOUT_VERSION,
  layoutFile,
  keyOf,
  lastOfEachName,
  readLayoutFile,
  savedLayoutOf,
  type SavedLayout,
} from './layout-file.ts'

const NAME = 'augury.layouts'
export const MAX_LAYOUTS = 50

const sortedByName = (layouts: readonly SavedLayout[]): readonly SavedLayout[] =>
  layouts.toSorted((left, right) => (keyOf(left.name) < keyOf(right.name) ? -1 : 1))

/** Layouts that the user saved under a name; stored on this machine, by case-insensitive name. */
export class NamedLayouts {
  readonly #storage: KeyValueStore
  all = $state.raw<readonly SavedLayout[]>([])
  /** The rejected stored value; it was set aside. */
  readonly problem: StorageProblem | null

  constructor(storage: KeyValueStore) {
    this.#storage = storage
    this.problem = this.reload()
    if (this.problem !== null) setAside(storage, NAME)
  }

  /** Reloads the stored value, which another window may have changed; returns its error. */
  reload(): StorageProblem | null {
    const { value, problem } = readStoredOrProblem(
      this.#storage,
      NAME,
      LAYOUT_VERSION,
      ({ layouts }) => (Array.isArray(layouts) ? (layouts as unknown[]) : null),
    )
    if (problem !== null) return problem
    this.all = sortedByName(
      (value ?? []).map(savedLayoutOf).filter((layout) => typeof layout !== 'string'),
    )
    return null
  }

  find(name: string): SavedLayout | null {
    return this.all.find((layout) => keyOf(layout.name) === keyOf(name)) ?? null
  }

  /** Saves a dock under a name. A layout beyond the limit is not saved: it would replace another. */
  save(
    name: string,
    dock: SerializedDockview,
    savedAt: string,
  ): 'saved' | 'replaced' | 'limit-reached' {
    const isReplaced = this.find(name) !== null
    if (!isReplaced && this.all.length >= MAX_LAYOUTS) return 'limit-reached'
    this.#put([{ name: name.trim(), savedAt, dock }])
    return isReplaced ? 'replaced' : 'saved'
  }

  /** Deletes a layout; returns it, so that it can be restored. */
  delete(name: string): SavedLayout | null {
    const layout = this.find(name)
    if (layout === null) return null
    this.all = this.all.filter((other) => other !== layout)
    this.#store()
    return layout
  }

  /** Imports the layouts of a file, all or none; existing names are replaced. Returns a message. */
  importFile(text: string): { readonly isImported: boolean; readonly text: string } {
    const parsedLayouts = readLayoutFile(text)
    if (typeof parsedLayouts === 'string') {
      return { isImported: false, text: `${parsedLayouts}. Nothing was changed` }
    }
    const layouts = lastOfEachName(parsedLayouts)
    const replacedCount = layouts.filter(({ name }) => this.find(name) !== null).length
    const count = this.all.length + layouts.length - replacedCount
    if (count > MAX_LAYOUTS) {
      const text = `There would be ${count} layouts; the limit is ${MAX_LAYOUTS}. Nothing was changed`
      return { isImported: false, text }
    }
    this.#put(layouts)
    const names = layouts.map(({ name }) => `“${name}”`).join(', ')
    const note = replacedCount === 0 ? '' : `, ${replacedCount} of them replaced`
    return { isImported: true, text: `Imported ${names}${note}` }
  }

  /** The file of one layout, or of all. */
  file(name: string | null, exportedAt: string): string {
    const namedLayout = name === null ? null : this.find(name)
    return layoutFile(namedLayout === null ? this.all : [namedLayout], exportedAt)
  }

  #put(layouts: readonly SavedLayout[]): void {
    const names = layouts.map(({ name }) => keyOf(name))
    const others = this.all.filter(({ name }) => !names.includes(keyOf(name)))
    this.all = sortedByName([...others, ...layouts])
    this.#store()
  }

  #store(): void {
    writeStored(this.#storage, NAME, LAYOUT_VERSION, { layouts: this.all })
  }
}
