// Keeps the colours at the points of a pixel table, whose finding every conversion of a picture would pay.
import { keepColours } from './dist/fixes/colorspace-transformation/kept-points.js';

await keepColours();
