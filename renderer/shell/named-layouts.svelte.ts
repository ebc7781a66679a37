import type { SerializedDockview } from 'dockview-core'
import { recallOrTell, remember, setAside, type Keep, type KeptTrouble } from '../lib/keep.ts'
import {
  LAYOUT_VERSION,
  layoutFile,
  readLayoutFile,
  savedLayoutOf,
  type SavedLayout,
} from './layout-file.ts'

const NAME = 'augury.layouts'
const MOST_LAYOUTS = 50

const keyOf = (name: string): string => name.trim().toLowerCase()
const sorted = (layouts: readonly SavedLayout[]): readonly SavedLayout[] =>
  layouts.toSorted((left, right) => (keyOf(left.name) < keyOf(right.name) ? -1 : 1))

/** Layouts that the reader saved under a name; kept on this machine, by name without case. */
export class NamedLayouts {
  readonly #keep: Keep
  all = $state.raw<readonly SavedLayout[]>([])
  /** What was kept here and could not be taken; it was set aside. */
  readonly trouble: KeptTrouble | null

  constructor(keep: Keep) {
    this.#keep = keep
    this.trouble = this.recall()
    if (this.trouble !== null) setAside(keep, NAME)
  }

  /** Takes what is kept, which another window may have changed; what stood against that. */
  recall(): KeptTrouble | null {
    const { value, trouble } = recallOrTell(this.#keep, NAME, LAYOUT_VERSION, ({ layouts }) =>
      Array.isArray(layouts) ? (layouts as unknown[]) : null,
    )
    if (trouble !== null) return trouble
    this.all = sorted(
      (value ?? []).map(savedLayoutOf).filter((layout) => typeof layout !== 'string'),
    )
    return null
  }

  named(name: string): SavedLayout | null {
    return this.all.find((layout) => keyOf(layout.name) === keyOf(name)) ?? null
  }

  /** Saves a dock under a name; returns whether that name stood for another before. */
  save(name: string, dock: SerializedDockview, savedAt: string): boolean {
    const before = this.named(name) !== null
    this.#put([{ name: name.trim(), savedAt, dock }])
    return before
  }

  /** Forgets a layout; returns what it was, so that it can be put back. */
  drop(name: string): SavedLayout | null {
    const layout = this.named(name)
    if (layout === null) return null
    this.all = this.all.filter((other) => other !== layout)
    this.#remember()
    return layout
  }

  /** Takes the layouts of a file, all or none; names that are known are replaced. A sentence. */
  take(text: string): { readonly taken: boolean; readonly text: string } {
    const layouts = readLayoutFile(text)
    if (typeof layouts === 'string') {
      return { taken: false, text: `${layouts}. Nothing was changed` }
    }
    const replaced = layouts.filter(({ name }) => this.named(name) !== null).length
    this.#put(layouts)
    const names = layouts.map(({ name }) => `«${name}»`).join(', ')
    const note = replaced === 0 ? '' : `, ${replaced} of them in place of what was there`
    return { taken: true, text: `Took ${names}${note}` }
  }

  /** The file of one layout, or of all. */
  file(name: string | null, exportedAt: string): string {
    const one = name === null ? null : this.named(name)
    return layoutFile(one === null ? this.all : [one], exportedAt)
  }

  #put(layouts: readonly SavedLayout[]): void {
    const names = layouts.map(({ name }) => keyOf(name))
    const others = this.all.filter(({ name }) => !names.includes(keyOf(name)))
    this.all = sorted([...others, ...layouts].slice(-MOST_LAYOUTS))
    this.#remember()
  }

  #remember(): void {
    remember(this.#keep, NAME, LAYOUT_VERSION, { layouts: this.all })
  }
}
