import { createMarketRanking } from './market-ranking.ts'
import type { FinderAnswer, FinderRequest } from './market-finder.ts'

const ranking = createMarketRanking()

self.onmessage = ({ data }: MessageEvent<FinderRequest>) => {
  if (data.kind === 'add') {
    ranking.add(data.markets)
    return
  }
  const answer: FinderAnswer = { id: data.id, hits: ranking.find(data.text, data.limit) }
  self.postMessage(answer)
}
