import type { Source } from '../api/source.svelte.ts'
import type { Topic } from '../api/socket/topics.svelte.ts'
import type { Pane } from '../shell/pane.svelte.ts'
import type { Terminal } from '../shell/terminal.svelte.ts'

interface Watched {
  readonly terminal: Terminal
  readonly pane: Pane
  readonly sources: readonly Source[]
  /** Shown beside them: asked and judged with them, and told by no topic. */
  readonly beside?: readonly Source[]
  /** What the socket tells of the same things. */
  readonly topics?: readonly Topic[]
  /** The topics tell all that matters, so that the sources need not be asked often. */
  readonly isFed?: boolean
}

/**
 * Has a pane's sources asked, and its topics followed, while the pane is in view, and lets its
 * header judge its age by them. To be called while the component is made.
 */
export function watchSources(watched: () => Watched): void {
  // Each part on its own: rows that scroll must not have the sources let go and asked again.
  const live = $derived(watched().terminal.live)
  const pane = $derived(watched().pane)
  const isVisible = $derived(pane.visible)
  const sources = $derived(watched().sources)
  const beside = $derived(watched().beside ?? [])
  const all = $derived(beside.length === 0 ? sources : [...sources, ...beside])
  const topics = $derived(watched().topics ?? [])
  const isPaused = $derived(watched().terminal.pausing.isAll || pane.isPaused)
  const isFed = $derived(isVisible && (watched().isFed ?? false))
  $effect(() => {
    pane.sources = all
    if (!isVisible) return
    const held = all.map((source) => live.hold(source))
    return () => held.forEach((release) => release())
  })
  $effect(() => (isVisible ? live.topics.hold(topics) : undefined))
  // Apart from the topics, which change with every row that scrolls: letting go asks anew.
  $effect(() => {
    if (!isPaused) return
    const ends = all.map((source) => live.pause(source))
    return () => ends.forEach((end) => end())
  })
  $effect(() => (isPaused ? live.topics.pause(topics) : undefined))
  $effect(() => {
    if (!isFed) return
    const fed = sources.map((source) => live.feed(source))
    return () => fed.forEach((release) => release())
  })
}
