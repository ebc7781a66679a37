import type { Source } from '../api/source.svelte.ts'
import type { Topic } from '../api/socket/topics.svelte.ts'
import type { Pane } from '../shell/dock/pane.svelte.ts'
import type { Terminal } from '../shell/terminal.svelte.ts'

interface Watched {
  readonly terminal: Terminal
  readonly pane: Pane
  readonly sources: readonly Source[]
  /** Shown beside them: polled and included in the freshness, but published by no topic. */
  readonly beside?: readonly Source[]
  /** Topics that carry the same data. */
  readonly topics?: readonly Topic[]
  /** The topics carry everything that matters, so that the sources need not be polled often. */
  readonly isFed?: boolean
}

/**
 * Polls a pane's sources and subscribes to its topics while the pane is visible, and gives its
 * header their freshness. Call it during a component's initialisation.
 */
export function watchSources(watched: () => Watched): void {
  // Separate effects: scrolling rows must not release the sources and request them again.
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
  // Separate from the topics, which change with every scrolled row: releasing a source would
  // request it again.
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
