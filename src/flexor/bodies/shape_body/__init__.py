"""Bodies whose deformation is a series of Chebyshev polynomials and waves.   NAK chapters 7, 8"""
