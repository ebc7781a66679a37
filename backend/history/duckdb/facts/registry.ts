import type { Ticker, Venue } from '../../../domain/market.ts'
import type { MarketId, MarketKey } from '../../market-key.ts'
import { appendColumns, integers, readIntegers, readTexts, texts } from '../engine/columns.ts'
import type { Session, Writer } from '../engine/connections.ts'

/** Market ids and their names, in memory; new names are stored before their id is handed out. */
export class MarketRegistry {
  readonly #writer: Writer
  readonly #keys: (MarketKey | undefined)[] = []
  readonly #byKey = new Map<string, MarketId>()
  readonly #byTicker = new Map<Ticker, MarketId>()

  private constructor(writer: Writer) {
    this.#writer = writer
  }

  static async load(session: Session, writer: Writer): Promise<MarketRegistry> {
    const registry = new MarketRegistry(writer)
    for (const chunk of await session.read('select id, venue, ticker from market order by id')) {
      const [ids, venues, tickers] = [
        readIntegers(chunk, 0),
        readTexts(chunk, 1),
        readTexts(chunk, 2),
      ]
      for (let i = 0; i < chunk.rowCount; i++) {
        registry.#add(ids[i] ?? 0, { venue: venues[i] as Venue, ticker: tickers[i] ?? '' })
      }
    }
    return registry
  }

  get count(): number {
    return this.#byKey.size
  }

  idOf(ticker: Ticker): { market: MarketId; venue: Venue } | null {
    const market = this.#byTicker.get(ticker)
    return market === undefined ? null : { market, venue: this.keyOf(market).venue }
  }

  /** Throws for an id that this history did not assign. */
  keyOf(market: MarketId): MarketKey {
    const key = this.#keys[market]
    if (key === undefined) throw new RangeError(`Market id ${market} is not known`)
    return key
  }

  /** Ids in request order; new markets are registered durably first. */
  async idsOf(keys: readonly MarketKey[]): Promise<MarketId[]> {
    if (keys.some((key) => !this.#byKey.has(nameOf(key)))) await this.#register(keys)
    return keys.map((key) => this.#byKey.get(nameOf(key)) ?? -1)
  }

  async #register(keys: readonly MarketKey[]): Promise<void> {
    await this.#writer.transaction(
      async () => {
        // Checked again inside the queue: another caller may have registered the same names
        // meanwhile.
        const missing = new Map(
          keys.filter((key) => !this.#byKey.has(nameOf(key))).map((key) => [nameOf(key), key]),
        )
        const newRecords = [...missing.values()]
        const first = this.#keys.length
        const appender = await this.#writer.appender('market')
        appendColumns(
          appender,
          [
            integers(Int32Array.from(newRecords, (_, index) => first + index)),
            texts(newRecords.map((key) => key.venue)),
            texts(newRecords.map((key) => key.ticker)),
          ],
          newRecords.length,
        )
        appender.flushSync()
        return { first, added: newRecords }
      },
      ({ first, added }) => added.forEach((key, index) => this.#add(first + index, key)),
    )
  }

  #add(id: MarketId, key: MarketKey): void {
    this.#keys[id] = { venue: key.venue, ticker: key.ticker }
    this.#byKey.set(nameOf(key), id)
    if (!this.#byTicker.has(key.ticker)) this.#byTicker.set(key.ticker, id)
  }
}

const nameOf = (key: MarketKey): string => `${key.venue} ${key.ticker}`
