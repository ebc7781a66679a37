import { CRYPTO } from './crypto.ts'
import { ECONOMY } from './economy.ts'
import { ENERGY } from './energy.ts'
import { GEOPOLITICS } from './geopolitics.ts'
import { POLITICS } from './politics.ts'
import { SPORTS } from './sports.ts'
import { TECH } from './tech.ts'
import type { Template } from './template.ts'
import { WEATHER_AND_CULTURE } from './weather-culture.ts'

const GROUPS: readonly (readonly Template[])[] = [
  GEOPOLITICS,
  CRYPTO,
  POLITICS,
  ENERGY,
  TECH,
  ECONOMY,
  SPORTS,
  WEATHER_AND_CULTURE,
]
const longest = Math.max(...GROUPS.map((group) => group.length))

/** One template of each group after another, so that the first few cover many topics. */
export const TEMPLATES: readonly Template[] = Array.from({ length: longest }, (_, index) =>
  GROUPS.flatMap((group) => group.slice(index, index + 1)),
).flat()
