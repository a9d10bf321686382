// VitePress's own theme in the colours of the console.

import theme from 'vitepress/theme';
import './colors.css';

export default theme;
