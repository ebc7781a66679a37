import { CRYPTO } from './crypto.ts'
import { ECONOMY } from './economy.ts'
import { ENERGY } from './energy.ts'
import { GEOPOLITICS } from './geopolitics.ts'
import { POLITICS } from './politics.ts'
import { SPORTS } from './sports.ts'
import { TECH } from './tech.ts'
import type { Template } from './template.ts'
import { WEATHER_AND_CULTURE } from './weather-culture.ts'

export const TEMPLATES: readonly Template[] = [
  ...ECONOMY,
  ...GEOPOLITICS,
  ...CRYPTO,
  ...POLITICS,
  ...ENERGY,
  ...TECH,
  ...SPORTS,
  ...WEATHER_AND_CULTURE,
]
