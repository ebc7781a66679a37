/** What a measured page is watched with, from before its first script; runs in the page. */
{
  const longTasks = []
  let barAt = null
  let rowsAt = null
  new PerformanceObserver((list) => {
    for (const { startTime: start, duration: ms } of list.getEntries())
      longTasks.push({ start, ms })
  }).observe({ type: 'longtask', buffered: true })

  const look = () => {
    const now = performance.now()
    if (rowsAt === null && document.querySelector('[role="gridcell"]') !== null) rowsAt = now
    // A key into the bar at the first chance, where that is what is measured.
    if (barAt === null && globalThis.triesBar === true) {
      const bar = document.querySelector('[data-bar] input, input[data-bar]')
      if (document.querySelector('[role="option"]') !== null) barAt = now
      else if (bar !== null && bar.value === '') {
        bar.focus()
        bar.value = 's'
        bar.dispatchEvent(new InputEvent('input', { bubbles: true }))
      }
    }
    if (rowsAt === null || (barAt === null && globalThis.triesBar === true))
      requestAnimationFrame(look)
  }
  requestAnimationFrame(look)

  /** Runs after the frame whose callbacks run now has been rendered, without waiting for the next. */
  const afterFrame = (work) => {
    const { port1, port2 } = new MessageChannel()
    port1.onmessage = work
    port2.postMessage(null)
  }

  /** Resolves with the time from an event to the end of the first frame at which `isDone`. */
  const since = (kind, isDone, mostMs) =>
    new Promise((resolve) => {
      const onEvent = ({ timeStamp }) => {
        const wait = () => {
          if (isDone(timeStamp)) afterFrame(() => resolve(performance.now() - timeStamp))
          else if (performance.now() - timeStamp > mostMs) resolve(null)
          else requestAnimationFrame(wait)
        }
        requestAnimationFrame(wait)
      }
      addEventListener(kind, onEvent, { capture: true, once: true })
    })

  const until = (isDone) =>
    new Promise((resolve) => {
      const wait = () => (isDone() ? resolve() : requestAnimationFrame(wait))
      wait()
    })

  const isSeen = (element) => element instanceof HTMLElement && element.getClientRects().length > 0

  let measured = null
  globalThis.probes = {
    /** Begins a measurement; resolves at once, so that what is measured cannot come before it. */
    begin: (name, ...given) => {
      measured = globalThis.probes[name](...given)
    },
    /** What the measurement came to. */
    ended: () => measured,
    /** When the bar answered a first key and the first rows were drawn. */
    starts: () =>
      until(() => barAt !== null && rowsAt !== null).then(() => ({ bar: barAt, rows: rowsAt })),
    /** Resolves when so many elements of a selector are there. */
    there: (selector, count) => until(() => document.querySelectorAll(selector).length >= count),
    paint: () => performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? NaN,
    /** From the next input to the end of the frame with its suggestions; null when they stay as they were. */
    async suggested() {
      let isDrawn = false
      const observer = new MutationObserver(() => (isDrawn = true))
      observer.observe(document.querySelector('[data-bar]').parentElement, {
        childList: true,
        characterData: true,
        subtree: true,
      })
      const ms = await since('input', () => isDrawn, 1_000)
      observer.disconnect()
      return ms
    },
    /** From the next key to the end of the frame with so many elements of a selector in view. */
    seen: (selector, count) =>
      since(
        'keydown',
        () => [...document.querySelectorAll(selector)].filter(isSeen).length >= count,
        20_000,
      ),
    /** Frames and tasks of so many milliseconds. */
    async smoothness(span) {
      const times = []
      const from = performance.now()
      await new Promise((resolve) => {
        const note = () => {
          times.push(performance.now())
          if (times.at(-1) - from < span) requestAnimationFrame(note)
          else resolve()
        }
        requestAnimationFrame(note)
      })
      const gaps = times.slice(1).map((time, index) => time - times[index])
      gaps.sort((left, right) => left - right)
      const tasks = longTasks.filter(({ start }) => start >= from).map(({ ms }) => ms)
      return {
        fps: (gaps.length * 1_000) / (times.at(-1) - times[0]),
        p95: gaps[Math.floor(gaps.length * 0.95)],
        longestTask: Math.max(0, ...tasks),
      }
    },
  }
}
