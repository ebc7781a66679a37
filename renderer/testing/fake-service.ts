import type { ClientFrame, DeltaFrame, ServerFrame } from '../../backend/contract/socket.ts'
import type { RawSocket, SocketEvents } from '../api/socket/data-socket.ts'

type Fields = object
interface State {
  epoch: string
  seq: number
  data: Fields
  changes: DeltaFrame[]
}
type Fault = 'drop' | 'twice' | 'late' | null

/**
 * A fake of the real-time service for one page: one state per topic, and a connection that tests
 * can break.
 */
export class FakeService {
  readonly topics = new Map<string, State>()
  readonly frames: ClientFrame[] = []
  /** Attempted connections. */
  tries = 0
  isUp = true
  isSignedIn = true
  /** Nothing is sent any more, and the connection stays open. */
  isMute = false
  readonly #time: () => number
  #events: SocketEvents | null = null
  #held = new Set<string>()
  #late: ServerFrame[] = []
  #epochs = 0

  constructor(time: () => number) {
    this.#time = time
  }

  /** The sockets that the page opens. */
  readonly open = (events: SocketEvents): RawSocket => {
    this.tries += 1
    this.#held = new Set()
    this.#late = []
    queueMicrotask(() => {
      if (!this.isUp) {
        events.onClose(1006)
        return
      }
      this.#events = events
      events.onOpen()
      this.#showNotice({
        type: 'hello',
        connection: `c${this.tries}`,
        time: this.#time(),
        authenticated: this.isSignedIn,
        limits: { connections: 5, topics: 200, frameBytes: 65_536, heartbeatSeconds: 20 },
      })
    })
    return {
      send: (text) => {
        if (this.#events === events && !this.isMute) this.#receive(JSON.parse(text) as ClientFrame)
      },
      close: () => {
        if (this.#events === events) this.#events = null
      },
    }
  }

  get followed(): readonly string[] {
    return [...this.#held].sort()
  }

  ping(): void {
    this.#showNotice({ type: 'ping', ts: this.#time() })
  }

  close(code: number): void {
    const events = this.#events
    this.#events = null
    events?.onClose(code)
  }

  /** Restarts: every topic begins a new epoch. */
  restart(): void {
    this.close(1001)
    for (const name of this.topics.keys()) this.#begin(name, this.topics.get(name)?.data ?? {})
  }

  /** The clock of the data jumped: subscribers receive a snapshot of a new epoch. */
  moveClock(name: string): void {
    const state = this.#begin(name, this.#stateOf(name).data)
    if (this.#held.has(name)) this.#snapshot(name, state, 'clock')
  }

  change(name: string, data: Fields, fault: Fault = null): void {
    const state = this.#stateOf(name)
    const { epoch, seq } = state
    state.data = { ...state.data, ...data }
    state.seq += 1
    const delta: DeltaFrame = {
      type: 'delta',
      topic: name,
      epoch,
      prev: seq,
      seq: state.seq,
      ts: this.#time(),
      data,
    }
    state.changes.push(delta)
    if (!this.#held.has(name) || fault === 'drop') return
    if (fault === 'late') {
      this.#late.push(delta)
      return
    }
    this.#showNotice(delta)
    if (fault === 'twice') this.#showNotice(delta)
    for (const notice of this.#late.splice(0)) this.#showNotice(notice)
  }

  #stateOf(name: string): State {
    return this.topics.get(name) ?? this.#begin(name, {})
  }

  #begin(name: string, data: Fields): State {
    this.#epochs += 1
    const state: State = { epoch: `e${this.#epochs}`, seq: 1, data, changes: [] }
    this.topics.set(name, state)
    return state
  }

  #snapshot(topic: string, { epoch, seq, data }: State, reason: 'subscribe' | 'resync' | 'clock') {
    this.#showNotice({ type: 'snapshot', topic, epoch, seq, ts: this.#time(), reason, data })
  }

  #receive(frame: ClientFrame): void {
    this.frames.push(frame)
    if (frame.op === 'ping') this.#showNotice({ type: 'pong', ts: this.#time() })
    if (frame.op !== 'subscribe' && frame.op !== 'unsubscribe' && frame.op !== 'resync') return
    const { op, topics } = frame
    if (op === 'unsubscribe') for (const name of topics) this.#held.delete(name)
    const known = topics.filter((name) => !name.includes('NOPE'))
    const unknown = topics.filter((name) => !known.includes(name))
    if (op === 'subscribe') for (const name of known) this.#held.add(name)
    this.#showNotice({
      type: 'ack',
      op,
      topics: known,
      subscribed: this.#held.size,
      ...(frame.id === undefined ? {} : { id: frame.id }),
      rejected: unknown.map((topic) => ({ topic, code: 'UNKNOWN_TICKER', message: 'No market' })),
    })
    if (op === 'unsubscribe') return
    for (const name of known) {
      const state = this.#stateOf(name)
      const from = op === 'subscribe' ? frame.resume?.[name] : undefined
      const kept = state.changes.find(({ prev }) => prev === from?.seq)
      if (from?.epoch === state.epoch && (kept !== undefined || from.seq === state.seq)) {
        for (const delta of state.changes) if (delta.seq > from.seq) this.#showNotice(delta)
      } else this.#snapshot(name, state, op)
    }
  }

  #showNotice(frame: ServerFrame): void {
    if (!this.isMute) this.#events?.onMessage(JSON.stringify(frame))
  }
}
